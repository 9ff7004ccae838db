// Games and songs: a file is looked at as changes, and then takes the place of the library.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
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
import { saveText } from './csv.ts'
import { useEventLife } from './event-life.tsx'

const libraries = {
  games: {
    compare: (file: string) => client.admin.boardgamesVerify({ file }),
    upload: (file: string) => client.admin.boardgamesUpload({ file }),
    file: () => client.admin.boardgamesFile(),
    accept: '.json,application/json',
    name: 'games.json',
    page: '/boardgames',
  },
  songs: {
    compare: (file: string) => client.admin.karaokeVerify({ file }),
    upload: (file: string) => client.admin.karaokeUpload({ file }),
    file: () => client.admin.karaokeFile(),
    accept: '.txt,.tsv,text/plain',
    name: 'songs.txt',
    page: '/karaoke',
  },
} as const
type Library = keyof typeof libraries

export function Libraries() {
  const life = useEventLife()
  const countOf = (which: Library) => life.data?.steps.find(({ name }) => name === which)?.count
  return (
    <ConsolePage title={c('libraries')}>
      <Upload which="games" count={countOf('games')} />
      <Upload which="songs" count={countOf('songs')} />
    </ConsolePage>
  )
}

function Upload({ which, count }: { which: Library; count: number | undefined }) {
  const { compare, upload, file, accept, name, page } = libraries[which]
  const [text, setText] = useState('')
  const [difference, setDifference] = useState<LibraryDifferenceData>()
  const [error, setError] = useState<unknown>()
  const written = async (library: string) => {
    await upload(library)
    setDifference(undefined)
    refresh('games', 'songs', 'console event')
  }
  const look = async (chosen: string) => {
    setError(undefined)
    setText(chosen)
    try {
      setDifference(await compare(chosen))
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
          const before = await file()
          await written(text)
          return before
        },
        said: c('saved'),
        // What goes keeps its id, and stays somebody's favorite, for when it is back.
        undo: (before) => written(before.file),
      }),
    )
  return (
    <Section title={c(`library.${which}`)}>
      <div class="card pad">
        <p>
          {count !== undefined && `${c(`library.has.${which}`, { n: count })} `}
          <Link href={page}>{c('library.look')}</Link>
        </p>
        <p class="buttons">
          <button type="button" class="btn quiet" onClick={() => void attempt(async () => saveText(name, (await file()).file))}>
            {c('library.file')}
          </button>
        </p>
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
