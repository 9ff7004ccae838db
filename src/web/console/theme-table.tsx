// Many themes from one table: pasted from a spreadsheet, looked at as changes, and written together.
import { useState } from 'preact/hooks'
import type { DailyThemeData, DailyThemeTableData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Field, FormError } from '../kit/field.tsx'
import { refresh } from '../store.ts'
import { forAll } from '../team/for-all.tsx'
import { Decide } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

interface Row {
  cruiseDay: number
  title: string
  info: string
}

/** A line as cells: spreadsheets put tabs between them, people semicolons. What follows the title is the text. */
export function rowsOf(text: string): { rows: Row[]; wrong: number[] } {
  const byDay = new Map<number, Row>()
  const wrong: number[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [, day = '', title = '', info = ''] = /^([^\t;]*)[\t;]([^\t;]*)(?:[\t;](.*))?$/.exec(line) ?? []
    const cruiseDay = Number(day.trim())
    if (day.trim() === '' || !Number.isInteger(cruiseDay) || title.trim() === '' || byDay.has(cruiseDay)) wrong.push(at + 1)
    else byDay.set(cruiseDay, { cruiseDay, title: title.trim(), info: info.trim() })
  }
  return { rows: [...byDay.values()].sort((a, b) => a.cruiseDay - b.cruiseDay), wrong }
}

/** What a row does to the theme of its day; undefined when it is so already. */
interface Change {
  row: Row
  before: DailyThemeData | undefined
}

const changesOf = (rows: readonly Row[], themes: readonly DailyThemeData[]): Change[] =>
  rows.flatMap((row) => {
    const before = themes.find(({ cruiseDay }) => cruiseDay === row.cruiseDay)
    return before?.title === row.title && before.info === row.info ? [] : [{ row, before }]
  })

async function write(themes: DailyThemeTableData['themes']): Promise<DailyThemeData[]> {
  try {
    return await client.admin.dailythemeTable({ themes })
  } finally {
    refresh('themes')
  }
}

const seen = (theme: DailyThemeData | undefined) => (theme ? { basedOn: theme.updatedAt } : {})

const writeAll = (changes: readonly Change[]) => write(changes.map(({ row, before }) => ({ ...row, ...seen(before) })))

/** Makes the themes of these days what they were; those that there were not go. */
const takeBack = (changes: readonly Change[], now: readonly DailyThemeData[]) =>
  write(
    changes.map(({ row: { cruiseDay }, before }) => ({
      cruiseDay,
      ...(before && { title: before.title, info: before.info }),
      ...seen(now.find((theme) => theme.cruiseDay === cruiseDay)),
    })),
  )

export function ThemeTable({ themes, close }: { themes: readonly DailyThemeData[]; close: () => void }) {
  const [text, setText] = useState('')
  const [error, setError] = useState<unknown>()
  const { rows, wrong } = rowsOf(text)
  const changes = changesOf(rows, themes)
  const save = async (event: Event) => {
    event.preventDefault()
    setError(undefined)
    try {
      const done = await forAll({
        title: c('themes.askTable', { n: changes.length }),
        Whom: Everybody,
        text: <Changes changes={changes} />,
        label: c('save'),
        run: () => writeAll(changes),
        said: c('saved'),
        undo: (now) => takeBack(changes, now),
      })
      if (done) close()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={c('themes.table')} close={close}>
      <form onSubmit={(event) => void save(event)}>
        <Field label={c('themes.lines')} value={text} change={setText} rows={8} hint={c('themes.linesHint')} />
        {wrong.length > 0 && <p class="wrong">{c('themes.wrong', { n: wrong.length, lines: wrong.slice(0, 10).join(', ') })}</p>}
        {text.trim() !== '' && wrong.length === 0 && changes.length === 0 && <p class="quiet">{c('themes.same')}</p>}
        <Changes changes={changes} />
        <FormError error={error} fields={[]} />
        <Decide label={c('save')} disabled={wrong.length > 0 || changes.length === 0} cancel={close} />
      </form>
    </Dialog>
  )
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <ul class="plain-list">
      {changes.map(({ row, before }) => (
        <li key={row.cruiseDay}>
          {c('dayNumber', { n: row.cruiseDay })}: {before && before.title !== row.title && <del>{before.title}</del>} <b>{row.title}</b>
        </li>
      ))}
    </ul>
  )
}
