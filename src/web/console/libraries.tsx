// Games and songs: a file is looked at as changes, and then takes the place of the library.
import { useState } from 'preact/hooks'
import type { LibraryDifferenceData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { Section } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { ConsolePage, FileField, Names } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

const libraries = {
  games: {
    compare: (file: string) => client.admin.boardgamesVerify({ file }),
    upload: (file: string) => client.admin.boardgamesUpload({ file }),
    accept: '.json,application/json',
  },
  songs: {
    compare: (file: string) => client.admin.karaokeVerify({ file }),
    upload: (file: string) => client.admin.karaokeUpload({ file }),
    accept: '.txt,.tsv,text/plain',
  },
} as const
type Library = keyof typeof libraries

export function Libraries() {
  return (
    <ConsolePage title={c('libraries')}>
      <Upload which="games" />
      <Upload which="songs" />
    </ConsolePage>
  )
}

function Upload({ which }: { which: Library }) {
  const { compare, upload, accept } = libraries[which]
  const [text, setText] = useState('')
  const [difference, setDifference] = useState<LibraryDifferenceData>()
  const [error, setError] = useState<unknown>()
  const look = async (file: string) => {
    setError(undefined)
    setText(file)
    try {
      setDifference(await compare(file))
    } catch (refused) {
      setDifference(undefined)
      setError(refused)
    }
  }
  const apply = () =>
    attempt(() =>
      forAll({
        title: c(`library.${which}`),
        Whom: Everybody,
        text: difference && (
          <p>{c('askApplyText', { created: difference.newCount, changed: difference.changedCount, deleted: difference.goneCount })}</p>
        ),
        label: c('applyCalendar'),
        grave: (difference?.goneCount ?? 0) > 0,
        run: async () => {
          await upload(text)
          setDifference(undefined)
          refresh('games', 'songs')
        },
        said: c('saved'),
      }),
    )
  return (
    <Section title={c(`library.${which}`)}>
      <div class="card pad">
        <FileField label={c(`libraryFile.${which}`)} hint={c(`libraryHint.${which}`)} accept={accept} choose={look} />
        <FormError error={error} fields={[]} />
        {difference && (
          <div role="status">
            <p>{c('libraryUnchanged', { n: difference.unchangedCount })}</p>
            <Names
              kind="new"
              title={c('library.new', { n: difference.newCount })}
              count={difference.newCount}
              names={difference.newNames}
            />
            <Names
              kind="gone"
              title={c('library.gone', { n: difference.goneCount })}
              count={difference.goneCount}
              names={difference.goneNames}
            />
            <Names
              kind="changed"
              title={c('library.changed', { n: difference.changedCount })}
              count={difference.changedCount}
              names={difference.changedNames}
            />
            <div class="buttons">
              <button type="button" class="btn" onClick={() => void apply()}>
                {c('applyCalendar')}
              </button>
            </div>
          </div>
        )}
      </div>
    </Section>
  )
}
