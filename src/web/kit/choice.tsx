// One of several: a field with a list, or a chip with one.
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'

interface ChoiceProps<V extends string> {
  label: string
  value: V
  options: readonly (readonly [V, string])[]
  change: (value: V) => void
}

export function Choice<V extends string>({ label, ...choice }: ChoiceProps<V>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Options id={id} {...choice} />
    </div>
  )
}

/** A filter above a list: as small as a chip, its label is only heard. The first option stands for all. */
export function ChoiceChip<V extends string>({ label, ...choice }: ChoiceProps<V>) {
  return <Options class="chip" aria-label={label} {...choice} />
}

function Options<V extends string>({ value, options, change, ...more }: Omit<ChoiceProps<V>, 'label'> & JSX.SelectHTMLAttributes) {
  return (
    <select {...more} value={value} onChange={({ currentTarget }) => change(currentTarget.value as V)}>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </select>
  )
}
