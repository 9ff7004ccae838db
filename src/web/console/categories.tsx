// Categories of forums: their words, who reads and who starts forums in them, and their order.
import { useState } from 'preact/hooks'
import type { ManagedCategoryData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Menu } from '../kit/menu.tsx'
import { once } from '../kit/once.ts'
import { Answer } from '../kit/states.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { forAll } from '../team/for-all.tsx'
import { ConsolePage, Decide, Others, roleName } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { mayDo, roles, type Level, type Role } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'
import { EarlierIcon, LaterIcon } from './icon.tsx'

const useCategories = () => useQuery({ queryKey: ['console categories'], queryFn: () => client.mod.categories() })
const changed = () => refresh('console categories', 'forums')

/** The levels that a category knows, in people's words. */
const readers: readonly Level[] = ['unverified', 'verified', 'moderator', 'serviceteam', 'tho', 'admin']
const from = (level: Level): string => c(`category.from.${level}` as ConsoleText)

export function Categories() {
  const categories = useCategories()
  const [open, setOpen] = useState<string>()
  const [order, setOrder] = useState<{ ids: string[]; seen: string[] }>()
  const known = categories.data ?? []
  const edited = known.find(({ categoryID }) => categoryID === open)
  const move = (id: string, by: -1 | 1) => {
    const seen = known.map(({ categoryID }) => categoryID)
    const ids = [...(order?.ids ?? seen)]
    const at = ids.indexOf(id)
    ids.splice(at, 1)
    ids.splice(at + by, 0, id)
    setOrder({ ids, seen: order?.seen ?? seen })
  }
  return (
    <ConsolePage
      title={c('categories')}
      actions={
        <button type="button" class="btn" aria-haspopup="dialog" onClick={() => setOpen('new')}>
          {c('category.new')}
        </button>
      }
    >
      <p class="quiet after-tabs">{c('categories.text')}</p>
      {order && <SaveOrder {...order} close={() => setOrder(undefined)} />}
      <Answer of={categories}>
        {(all) => {
          const byId = new Map(all.map((category) => [category.categoryID, category]))
          const shown = order ? order.ids.flatMap((id) => byId.get(id) ?? []) : all
          return (
            <ul class="card">
              {shown.map((category, at) => (
                <Category
                  key={category.categoryID}
                  category={category}
                  earlier={at > 0 && (() => move(category.categoryID, -1))}
                  later={at < shown.length - 1 && (() => move(category.categoryID, 1))}
                  edit={() => setOpen(category.categoryID)}
                />
              ))}
            </ul>
          )
        }}
      </Answer>
      {open === 'new' && <NewCategory close={() => setOpen(undefined)} />}
      {edited && <ChangeCategory key={edited.categoryID} category={edited} close={() => setOpen(undefined)} />}
    </ConsolePage>
  )
}

interface CategoryProps {
  category: ManagedCategoryData
  earlier: false | (() => void)
  later: false | (() => void)
  edit: () => void
}

function Category({ category, earlier, later, edit }: CategoryProps) {
  const { title, purpose, numThreads, accessLevelToView, accessLevelToCreate, requiredRole, isEventCategory } = category
  return (
    <li class="group">
      <span class="grow">
        <b>{title}</b>
        {purpose && <p class="words small">{purpose}</p>}
        <small>
          {c('category.forums', { n: numThreads })} ·{' '}
          {requiredRole
            ? c('category.readRole', { role: roleName(requiredRole as Role) })
            : c('category.read', { who: from(accessLevelToView as Level) })}{' '}
          · {c('category.start', { who: from(accessLevelToCreate as Level) })}
          {isEventCategory && ` · ${c('category.ofSchedule')}`}
        </small>
      </span>
      <span class="row-deeds">
        <button
          type="button"
          class="round plain"
          aria-label={c('category.earlier', { title })}
          disabled={!earlier}
          onClick={() => earlier && earlier()}
        >
          <EarlierIcon size={20} />
        </button>
        <button
          type="button"
          class="round plain"
          aria-label={c('category.later', { title })}
          disabled={!later}
          onClick={() => later && later()}
        >
          <LaterIcon size={20} />
        </button>
        <Menu
          title={c('moreAbout', { title })}
          small
          actions={[
            { label: c('edit'), run: edit },
            numThreads === 0 && !isEventCategory && { label: c('delete'), grave: true, run: () => void attempt(() => remove(category)) },
          ]}
        />
      </span>
    </li>
  )
}

/** What came of it is on the screen, also when somebody else was faster. */
async function watched<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    changed()
  }
}

const remove = ({ categoryID, title, changedAt }: ManagedCategoryData) =>
  forAll({
    title: c('category.askDelete', { title }),
    Whom: Everybody,
    label: c('delete'),
    grave: true,
    run: () => watched(() => client.mod.removeCategory({ category_id: categoryID, basedOn: changedAt })),
    said: c('category.deleted'),
  })

function SaveOrder({ ids, seen, close }: { ids: string[]; seen: string[]; close: () => void }) {
  const write = (categoryIDs: string[], basedOn: string[]) => watched(() => client.mod.categoriesOrder({ categoryIDs, basedOn }))
  const save = () =>
    attempt(async () => {
      const done = await forAll({
        title: c('category.askOrder'),
        Whom: Everybody,
        label: c('category.saveOrder'),
        run: () => write(ids, seen),
        said: c('saved'),
        undo: () => write(seen, ids),
      })
      if (done) close()
    })
  return (
    <div class="card pad buttons" role="status">
      <span class="grow">{c('category.orderChanged')}</span>
      <button type="button" class="btn quiet" onClick={close}>
        {c('cancel')}
      </button>
      <button type="button" class="btn" onClick={() => void save()}>
        {c('category.saveOrder')}
      </button>
    </div>
  )
}

interface Draft {
  title: string
  purpose: string
  accessLevelToView: Level
  accessLevelToCreate: Level
  requiredRole: Role | ''
}

const sent = ({ requiredRole, ...draft }: Draft) => ({ ...draft, ...(requiredRole && { requiredRole }) })
const fields = ['title', 'purpose', 'accessLevelToView', 'accessLevelToCreate', 'requiredRole']

function NewCategory({ close }: { close: () => void }) {
  const form = useForm<Draft>({
    title: '',
    purpose: '',
    accessLevelToView: 'unverified',
    accessLevelToCreate: 'verified',
    requiredRole: '',
  })
  const save = async () => {
    await watched(() => once(client.mod.categoryCreate, sent(form.values)))
    toast(c('saved'))
    close()
  }
  return (
    <Dialog title={c('category.new')} close={close}>
      <form onSubmit={form.submit(save)}>
        <Fields form={form} />
        <Decide label={c('save')} disabled={form.busy} cancel={close} />
      </form>
    </Dialog>
  )
}

const draftOf = ({ title, purpose, accessLevelToView, accessLevelToCreate, requiredRole }: ManagedCategoryData): Draft => ({
  title,
  purpose,
  accessLevelToView: accessLevelToView as Level,
  accessLevelToCreate: accessLevelToCreate as Level,
  requiredRole: (requiredRole ?? '') as Role | '',
})

function ChangeCategory({ category, close }: { category: ManagedCategoryData; close: () => void }) {
  const form = useForm<Draft>(draftOf(category), category.changedAt)
  const { categoryID: category_id, changedAt } = category
  const save = async () => {
    const before = draftOf(category)
    const write = (draft: Draft, basedOn: string) => watched(() => client.mod.categoryUpdate({ category_id, ...sent(draft), basedOn }))
    const done = await forAll({
      title: c('category.askChange', { title: category.title }),
      Whom: Everybody,
      text: <p>{c('category.changeText', { read: from(form.values.accessLevelToView), start: from(form.values.accessLevelToCreate) })}</p>,
      label: c('changeIt'),
      run: () => write(form.values, changedAt),
      said: c('saved'),
      undo: (now) => write(before, now.changedAt),
    })
    if (done) close()
  }
  return (
    <Dialog title={c('category.change')} close={close}>
      <form onSubmit={form.submit(save)}>
        <Others at={changedAt} form={form}>
          <p>
            <b>{category.title}</b>
          </p>
          <p class="words">{category.purpose}</p>
        </Others>
        <Fields form={form} />
        <Decide label={c('save')} disabled={form.busy || form.isLate} cancel={close} />
      </form>
    </Dialog>
  )
}

function Fields({ form: { values, set, error, isLate } }: { form: ReturnType<typeof useForm<Draft>> }) {
  const levels = readers.filter((level) => mayDo(level)).map((level) => [level, from(level)] as const)
  return (
    <>
      <Field
        label={c('category.title')}
        value={values.title}
        change={set('title')}
        error={errorOf(error, 'title')}
        input={{ maxLength: 100 }}
      />
      <Field
        label={c('category.purpose')}
        value={values.purpose}
        change={set('purpose')}
        rows={3}
        error={errorOf(error, 'purpose')}
        input={{ maxLength: 500 }}
      />
      <Choice label={c('category.whoReads')} value={values.accessLevelToView} change={set('accessLevelToView')} options={levels} />
      <Choice
        label={c('category.whoStarts')}
        value={values.accessLevelToCreate}
        change={set('accessLevelToCreate')}
        options={readers.map((level) => [level, from(level)] as const)}
      />
      <Choice
        label={c('category.role')}
        value={values.requiredRole}
        change={set('requiredRole')}
        options={[['', c('category.noRole')], ...roles.map((role) => [role, roleName(role)] as const)]}
      />
      <FormError error={isLate ? undefined : error} fields={fields} />
    </>
  )
}
