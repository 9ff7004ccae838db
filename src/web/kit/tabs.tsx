// A row of chips of which one is chosen.
interface TabsProps<V extends string> {
  label: string
  value: V
  options: readonly (readonly [V, string])[]
  change: (value: V) => void
}

export function Tabs<V extends string>({ label, value, options, change }: TabsProps<V>) {
  return (
    <div class="tabs" role="group" aria-label={label}>
      {options.map(([option, text]) => (
        <button key={option} type="button" class="chip" aria-pressed={option === value} onClick={() => change(option)}>
          {text}
        </button>
      ))}
    </div>
  )
}
