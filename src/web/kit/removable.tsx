// A list of one's own things, each of which can be taken away after a question.
import { t } from '../texts.ts'
import { Empty } from './states.tsx'
import { useSure } from './sure.tsx'

interface Removable {
  id: string
  name: string
  about: string
  /** The button for those who do not see the list, and the question. */
  title: string
  text: string
}

/** `none`: what stands there when there are none. */
export function RemovableList({
  items,
  none,
  remove,
}: {
  items: readonly Removable[]
  none: string
  remove: (id: string) => Promise<void>
}) {
  const { ask, question } = useSure()
  if (items.length === 0) return <Empty title={none} />
  return (
    <ul class="card">
      {items.map(({ id, name, about, title, text }) => (
        <li key={id} class="row">
          <div class="row-text">
            <p>{name}</p>
            <small>{about}</small>
          </div>
          <button
            type="button"
            class="btn quiet"
            aria-label={title}
            aria-haspopup="dialog"
            onClick={() => ask({ title, text, done: t('remove'), run: () => remove(id) })}
          >
            {t('remove')}
          </button>
        </li>
      ))}
      {question}
    </ul>
  )
}
