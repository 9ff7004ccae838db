// Words of the team: announcements to everybody, and the themes of the days.
import { useState } from 'preact/hooks'
import type { AnnouncementData, DailyThemeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { once } from '../kit/once.ts'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { AnnouncementForm, announcementsChanged } from './announcement-form.tsx'
import { ConsolePage } from './parts.tsx'
import { c } from './texts.ts'

export function Announcements() {
  const [open, setOpen] = useState<AnnouncementData | 'new'>()
  const all = useQuery({
    queryKey: ['console announcements'],
    queryFn: () => client.notification.announcements({ inactives: true }),
  })
  const isShown = ({ isDeleted, displayUntil }: AnnouncementData) => !isDeleted && Date.parse(displayUntil) > Date.now()
  return (
    <ConsolePage
      title={c('announcements')}
      actions={
        <button type="button" class="btn" onClick={() => setOpen('new')}>
          {c('newAnnouncement')}
        </button>
      }
    >
      <Answer of={all}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={c('noAnnouncements')} />
          ) : (
            <>
              <Section title={c('nowShown')}>
                <List items={list.filter(isShown)} edit={setOpen} />
              </Section>
              <Section title={c('notShown')}>
                <List items={list.filter((each) => !isShown(each))} edit={setOpen} />
              </Section>
            </>
          )
        }
      </Answer>
      {open && <AnnouncementForm {...(open !== 'new' && { of: open })} close={() => setOpen(undefined)} />}
    </ConsolePage>
  )
}

function List({ items, edit }: { items: readonly AnnouncementData[]; edit: (item: AnnouncementData) => void }) {
  if (items.length === 0) return <p class="card pad quiet">{c('nothing')}</p>
  const takeBack = (announcementID: number) =>
    attempt(async () => {
      await client.notification.removeAnnouncement({ announcementID })
      announcementsChanged()
    })
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
                <button type="button" class="btn quiet" onClick={() => void takeBack(id)}>
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
  const [open, setOpen] = useState<DailyThemeData | 'new'>()
  const themes = useQuery({ queryKey: ['themes'], queryFn: () => client.notification.dailythemes() })
  return (
    <ConsolePage
      title={c('themes')}
      actions={
        <button type="button" class="btn" onClick={() => setOpen('new')}>
          {c('newTheme')}
        </button>
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
                  <button type="button" class="btn quiet" onClick={() => setOpen(theme)}>
                    {c('edit')}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {open && <ThemeForm {...(open !== 'new' && { of: open })} close={() => setOpen(undefined)} />}
    </ConsolePage>
  )
}

function ThemeForm({ of, close }: { of?: DailyThemeData; close: () => void }) {
  const [title, setTitle] = useState(of?.title ?? '')
  const [info, setInfo] = useState(of?.info ?? '')
  const [day, setDay] = useState(String(of?.cruiseDay ?? 0))
  const [error, setError] = useState<unknown>()
  const attemptTo = async (work: () => Promise<unknown>) => {
    try {
      await work()
      toast(c('saved'))
      refresh('themes')
      close()
    } catch (refused) {
      setError(refused)
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    const data = { title, info, cruiseDay: Number(day), ...(of?.image && { image: { filename: of.image } }) }
    void attemptTo(() => (of ? client.admin.dailythemeEdit({ themeID: of.themeID, ...data }) : once(client.admin.dailythemeCreate, data)))
  }
  return (
    <Dialog title={of ? c('edit') : c('newTheme')} close={close}>
      <form onSubmit={submit}>
        <Field label={c('themeTitle')} value={title} change={setTitle} error={errorOf(error, 'title')} />
        <Field label={c('themeInfo')} value={info} change={setInfo} rows={4} error={errorOf(error, 'info')} />
        <Field
          label={c('themeDay')}
          value={day}
          change={setDay}
          hint={c('themeDayHint')}
          input={{ type: 'number', required: true }}
          error={errorOf(error, 'cruiseDay')}
        />
        <FormError error={error} fields={['title', 'info', 'cruiseDay']} />
        <div class="buttons">
          {of && (
            <button
              type="button"
              class="btn grave"
              onClick={() => void attemptTo(() => client.admin.removeDailytheme({ themeID: of.themeID }))}
            >
              {c('delete')}
            </button>
          )}
          <button type="submit" class="btn">
            {c('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
