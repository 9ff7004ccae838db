// Words of the team: announcements to everybody, and the themes of the days.
import { useState } from 'preact/hooks'
import type { AnnouncementData, DailyThemeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { AnnouncementForm, takeBack, unplan } from './announcement-form.tsx'
import { ConsolePage, Others } from '../team/parts.tsx'
import { ThemeTable } from './theme-table.tsx'
import { Everybody } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

export function Announcements() {
  const [open, setOpen] = useState<number | 'new'>()
  const all = useQuery({
    queryKey: ['console announcements'],
    queryFn: () => client.notification.announcements({ inactives: true }),
  })
  const edited = all.data?.find(({ id }) => id === open)
  const isShown = ({ isDeleted, displayUntil }: AnnouncementData) => !isDeleted && Date.parse(displayUntil) > Date.now()
  return (
    <ConsolePage
      title={c('announcements')}
      actions={
        <button type="button" class="btn" aria-haspopup="dialog" onClick={() => setOpen('new')}>
          {c('newAnnouncement')}
        </button>
      }
    >
      <Answer of={all}>
        {(list) =>
          list.length === 0 ? (
            <>
              <Planned />
              <Empty title={c('noAnnouncements')} />
            </>
          ) : (
            <>
              <Planned />
              <Section title={c('nowShown')}>
                <List items={list.filter(isShown)} edit={({ id }) => setOpen(id)} />
              </Section>
              <Section title={c('notShown')}>
                <List items={list.filter((each) => !isShown(each))} edit={({ id }) => setOpen(id)} />
              </Section>
            </>
          )
        }
      </Answer>
      {open === 'new' && <AnnouncementForm close={() => setOpen(undefined)} />}
      {edited && <AnnouncementForm key={edited.id} of={edited} close={() => setOpen(undefined)} />}
    </ConsolePage>
  )
}

/** What is written ahead. */
function Planned() {
  const planned = useQuery({ queryKey: ['console announcements', 'planned'], queryFn: () => client.admin.announcementsPlanned() })
  if (!planned.data || planned.data.length === 0) return null
  return (
    <Section title={c('plannedOnes')}>
      <ul class="card">
        {planned.data.map((item) => (
          <li key={item.plannedID} class="group">
            <span class="grow">
              <b class="words">{item.text}</b>
              <small>
                {c('by', { name: nameOf(item.author) })} · {c('fromTime', { time: `${fullDay(item.showAt)}, ${clock(item.showAt)}` })} ·{' '}
                {c('until', { time: `${fullDay(item.displayUntil)}, ${clock(item.displayUntil)}` })}
              </small>
            </span>
            <button type="button" class="btn quiet" onClick={() => void attempt(() => unplan(item))}>
              {c('delete')}
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function List({ items, edit }: { items: readonly AnnouncementData[]; edit: (item: AnnouncementData) => void }) {
  if (items.length === 0) return <p class="card pad quiet">{c('nothing')}</p>
  return (
    <ul class="card">
      {items.map((item) => {
        const { id, author, text, displayUntil, isDeleted } = item
        return (
          <li key={id} class="group">
            <span class="grow">
              <b class="words">{text}</b>
              <small>
                {c('by', { name: nameOf(author) })} · {c('until', { time: `${fullDay(displayUntil)}, ${clock(displayUntil)}` })}
                {isDeleted && ` · ${c('takenBack')}`}
              </small>
            </span>
            <span class="deeds tight">
              <button type="button" class="btn quiet" onClick={() => edit(item)}>
                {c('edit')}
              </button>
              {!isDeleted && Date.parse(displayUntil) > Date.now() && (
                <button type="button" class="btn quiet" onClick={() => void attempt(() => takeBack(item))}>
                  {c('takeBack')}
                </button>
              )}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

export function Themes() {
  const [open, setOpen] = useState<string>()
  const themes = useQuery({ queryKey: ['themes'], queryFn: () => client.notification.dailythemes() })
  const edited = themes.data?.find(({ themeID }) => themeID === open)
  return (
    <ConsolePage
      title={c('themes')}
      actions={
        <>
          <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen('table')}>
            {c('themes.table')}
          </button>
          <button type="button" class="btn" aria-haspopup="dialog" onClick={() => setOpen('new')}>
            {c('newTheme')}
          </button>
        </>
      }
    >
      <Answer of={themes}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={c('noThemes')} />
          ) : (
            <ul class="card after-tabs">
              {all.map((theme) => (
                <li key={theme.themeID} class="group">
                  <span class="grow">
                    <b>
                      {c('dayNumber', { n: theme.cruiseDay })}: {theme.title}
                    </b>
                    <small class="words">{theme.info}</small>
                  </span>
                  <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen(theme.themeID)}>
                    {c('edit')}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {open === 'table' && <ThemeTable themes={themes.data ?? []} close={() => setOpen(undefined)} />}
      {open === 'new' && <ThemeForm close={() => setOpen(undefined)} />}
      {edited && <ThemeForm key={edited.themeID} of={edited} close={() => setOpen(undefined)} />}
    </ConsolePage>
  )
}

function ThemeForm({ of, close }: { of?: DailyThemeData; close: () => void }) {
  const form = useForm({ title: of?.title ?? '', info: of?.info ?? '', day: String(of?.cruiseDay ?? 0) }, of?.updatedAt)
  const { values, set, error, busy, submit, isLate } = form
  const { title, info, day } = values
  const fields = ['title', 'info', 'cruiseDay']
  const save = async () => {
    const data = { title, info, cruiseDay: Number(day) }
    if (of ? await changeTheme(of, { ...of, ...data }) : await newTheme(data)) close()
  }
  const remove = async () => {
    if (of && (await removeTheme(of))) close()
  }
  return (
    <Dialog title={of ? c('edit') : c('newTheme')} close={close}>
      <form onSubmit={submit(save)}>
        {of && (
          <Others at={of.updatedAt} form={form}>
            <p>
              <b>
                {c('dayNumber', { n: of.cruiseDay })}: {of.title}
              </b>
            </p>
            <p class="words">{of.info}</p>
          </Others>
        )}
        <Field label={c('themeTitle')} value={title} change={set('title')} error={errorOf(error, 'title')} />
        <Field label={c('themeInfo')} value={info} change={set('info')} rows={4} error={errorOf(error, 'info')} />
        <Field
          label={c('themeDay')}
          value={day}
          change={set('day')}
          hint={c('themeDayHint')}
          input={{ type: 'number', required: true }}
          error={errorOf(error, 'cruiseDay')}
        />
        <FormError error={isLate ? undefined : error} fields={fields} />
        <div class="buttons">
          {of && (
            <button type="button" class="btn grave" disabled={busy} onClick={(event) => submit(remove)(event)}>
              {c('delete')} …
            </button>
          )}
          <button type="submit" class="btn" disabled={busy || isLate}>
            {c('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

type ThemeWords = Pick<DailyThemeData, 'title' | 'info' | 'cruiseDay'> & { image?: string }

const themeWords = ({ title, info, cruiseDay }: ThemeWords) => (
  <blockquote class="quote words">
    <b>
      {c('dayNumber', { n: cruiseDay })}: {title}
    </b>
    <br />
    {info}
  </blockquote>
)

const uploadOf = ({ title, info, cruiseDay, image }: ThemeWords) => ({
  title,
  info,
  cruiseDay,
  ...(image && { image: { filename: image } }),
})

/** What came of it is on the screen, also when somebody else was faster. */
async function themesWatched(work: () => Promise<void>): Promise<DailyThemeData[]> {
  try {
    await work()
  } finally {
    refresh('themes')
  }
  return await client.notification.dailythemes()
}

const createdTheme = (words: ThemeWords) =>
  themesWatched(() => once(client.admin.dailythemeCreate, uploadOf(words))).then((all) =>
    all.find(({ cruiseDay }) => cruiseDay === words.cruiseDay),
  )

const writtenTheme = ({ themeID, updatedAt }: DailyThemeData, words: ThemeWords) =>
  themesWatched(() => client.admin.dailythemeEdit({ themeID, ...uploadOf(words), basedOn: updatedAt })).then((all) =>
    all.find((each) => each.themeID === themeID),
  )

const removedTheme = ({ themeID, updatedAt }: DailyThemeData) =>
  themesWatched(() => client.admin.removeDailytheme({ themeID, basedOn: updatedAt }))

const newTheme = (words: ThemeWords) =>
  forAll({
    title: c('newTheme'),
    Whom: Everybody,
    text: themeWords(words),
    label: c('save'),
    run: () => createdTheme(words),
    said: c('saved'),
    undo: async (made) => made && (await removedTheme(made)),
  })

const changeTheme = (of: DailyThemeData, words: ThemeWords) =>
  forAll({
    title: c('askTheme'),
    Whom: Everybody,
    text: themeWords(words),
    label: c('save'),
    run: () => writtenTheme(of, words),
    said: c('saved'),
    undo: async (now) => now && (await writtenTheme(now, of)),
  })

const removeTheme = (of: DailyThemeData) =>
  forAll({
    title: c('askThemeDelete'),
    Whom: Everybody,
    text: (
      <>
        {themeWords(of)}
        {of.image && <p>{c('themePictureGoes')}</p>}
      </>
    ),
    label: c('delete'),
    grave: true,
    run: () => removedTheme(of),
    said: c('themeDeleted'),
    // Its picture is put away with it.
    undo: () => createdTheme({ title: of.title, info: of.info, cruiseDay: of.cruiseDay }),
  })
