// Letters that moderators write again and again, and writing one to somebody.
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { SeamailTemplateData, UserHeader } from '../../sdk/client.ts'
import { ConsolePage, Decide, Others } from '../team/parts.tsx'
import { said } from '../team/reach.tsx'
import { c } from '../team/texts.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Menu } from '../kit/menu.tsx'
import { nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { send } from '../outbox.ts'
import { refresh, useQuery } from '../store.ts'

const useTemplates = () => useQuery({ queryKey: ['console templates'], queryFn: () => client.mod.templates() })

export function Templates() {
  const templates = useTemplates()
  const [open, setOpen] = useState<string>()
  const edited = templates.data?.find(({ templateID }) => templateID === open)
  return (
    <ConsolePage
      title={c('templates')}
      actions={
        <button type="button" class="btn" aria-haspopup="dialog" onClick={() => setOpen('new')}>
          {c('newTemplate')}
        </button>
      }
    >
      <p class="quiet after-tabs">{c('templatesText')}</p>
      <Answer of={templates}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={c('noTemplates')}>{c('noTemplatesText')}</Empty>
          ) : (
            <ul class="card">
              {all.map((template) => (
                <li key={template.templateID} class="group">
                  <span class="grow">
                    <b>{template.title}</b>
                    <p class="words small">{template.content}</p>
                    <small>
                      {c('changedBy', {
                        name: nameOf(template.changedBy),
                        time: `${fullDay(template.changedAt)}, ${clock(template.changedAt)}`,
                      })}
                    </small>
                  </span>
                  <Menu
                    title={c('moreAbout', { title: template.title })}
                    small
                    actions={[
                      { label: c('edit'), opens: true, run: () => setOpen(template.templateID) },
                      { label: c('delete'), grave: true, run: () => void attempt(() => remove(template)) },
                    ]}
                  />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {open === 'new' && <TemplateDialog close={() => setOpen(undefined)} />}
      {edited && <TemplateDialog key={edited.templateID} template={edited} close={() => setOpen(undefined)} />}
    </ConsolePage>
  )
}

/** What came of it is on the screen, also when somebody else was faster. */
async function watched<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    refresh('console templates')
  }
}

const remove = ({ templateID, title, content, changedAt }: SeamailTemplateData) =>
  forAll({
    title: c('askTemplateDelete', { title }),
    Whom: said(c('reach.team')),
    label: c('delete'),
    grave: true,
    run: () => watched(() => client.mod.removeTemplates({ template_id: templateID, basedOn: changedAt })),
    said: c('templateDeleted'),
    undo: () => watched(() => client.mod.setTemplates({ title, content })),
  })

function TemplateDialog({ template, close }: { template?: SeamailTemplateData; close: () => void }) {
  const form = useForm({ title: template?.title ?? '', content: template?.content ?? '' }, template?.changedAt)
  const { values, set, error, busy, submit, isLate } = form
  const save = async () => {
    await watched(() =>
      template
        ? client.mod.templatesOf({ template_id: template.templateID, ...values, basedOn: template.changedAt })
        : client.mod.setTemplates(values),
    )
    toast(c('saved'))
    close()
  }
  return (
    <Dialog title={c(template ? 'editTemplate' : 'newTemplate')} close={close}>
      <form onSubmit={submit(save)}>
        {template && (
          <Others by={template.changedBy} at={template.changedAt} form={form}>
            <p>
              <b>{template.title}</b>
            </p>
            <p class="words">{template.content}</p>
          </Others>
        )}
        <Field
          label={c('letterTitle')}
          value={values.title}
          change={set('title')}
          error={errorOf(error, 'title')}
          input={{ maxLength: 100 }}
        />
        <Field
          label={c('letterText')}
          value={values.content}
          change={set('content')}
          rows={8}
          hint={c('templateHint')}
          error={errorOf(error, 'content')}
          input={{ maxLength: 2000 }}
        />
        <FormError error={isLate ? undefined : error} fields={['title', 'content']} />
        <Decide label={c('save')} disabled={busy || isLate} cancel={close} />
      </form>
    </Dialog>
  )
}

/** Writes a seamail in the name of the moderators, from a template or not. */
export function WriteDialog({ user, close }: { user: UserHeader; close: () => void }) {
  const templates = useTemplates()
  const [, go] = useLocation()
  const [chosen, setChosen] = useState('')
  const [title, setTitle] = useState('')
  const [content, setContent] = useState('')
  const [as, setAs] = useState<'moderator' | 'me'>('moderator')
  const [error, setError] = useState<unknown>()
  const filled = (text: string) => text.replaceAll('{name}', nameOf(user))
  const choose = (id: string) => {
    setChosen(id)
    const template = templates.data?.find(({ templateID }) => templateID === id)
    if (!template) return
    setTitle(filled(template.title))
    setContent(filled(template.content))
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const { fezID } = await once(client.fez.create, {
        fezType: 'closed',
        title,
        info: '',
        minCapacity: 0,
        maxCapacity: 0,
        initialUsers: [user.userID],
        ...(as === 'moderator' && { createdByModerator: true }),
      })
      send('fez', fezID, content, [], as === 'moderator' ? { as } : {})
      refresh('chats')
      toast(c('written', { name: nameOf(user) }), { href: `/seamail/${fezID}` })
      close()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={c('writeToName', { name: nameOf(user) })} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        {templates.data && templates.data.length > 0 ? (
          <Choice
            label={c('template')}
            value={chosen}
            change={choose}
            options={[['', c('noTemplate')], ...templates.data.map(({ templateID, title: name }) => [templateID, name] as const)]}
          />
        ) : (
          <button type="button" class="btn quiet" onClick={() => go('/admin/templates')}>
            {c('templates')}
          </button>
        )}
        <Field label={c('letterTitle')} value={title} change={setTitle} error={errorOf(error, 'title')} input={{ maxLength: 100 }} />
        <Field label={c('letterText')} value={content} change={setContent} rows={8} input={{ maxLength: 2000 }} />
        <Choice
          label={c('letterFrom')}
          value={as}
          change={setAs}
          options={[
            ['moderator', c('letterFromTeam')],
            ['me', c('letterFromMe')],
          ]}
        />
        <FormError error={error} fields={['title']} />
        <Decide label={c('send')} disabled={title.trim() === '' || content.trim() === ''} cancel={close} />
      </form>
    </Dialog>
  )
}
