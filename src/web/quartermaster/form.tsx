// Items are posted, several at one place at once, and changed.
import { useState } from 'preact/hooks'
import { useLocation, useSearchParams } from 'wouter-preact'
import type { Bytes, QuartermasterData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Choice } from '../kit/choice.tsx'
import { AddPicture, Chosen, usePictures, type ChosenPictures } from '../kit/choose.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { toast } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { useItem, views } from './query.ts'

type Category = QuartermasterData['category']
const maxItems = 10

/** Where to go when it is done: one of the lists, or an item. */
function useWayOn() {
  const [params] = useSearchParams()
  const [, go] = useLocation()
  const from = params.get('from') ?? 'owned'
  const path = from === 'have' ? '' : views.some((view) => view === from) || /^[\da-f-]{36}$/i.test(from) ? `/${from}` : '/owned'
  return { back: `/quartermaster${path}`, goOn: () => go(`/quartermaster${path}`, { replace: true }), params }
}

interface Entry {
  /** Its fields keep what was chosen in them also when one before it goes. */
  key: number
  name: string
  description: string
  pictures: readonly Bytes[]
}

const empty: Entry = { key: 0, name: '', description: '', pictures: [] }

const pictureOf = (added: Bytes | undefined, kept?: string) =>
  added ? { image: { image: added } } : kept ? { image: { filename: kept } } : {}

export function NewItems() {
  const { back, goOn, params } = useWayOn()
  const wanted: Category = params.get('category')?.toLowerCase() === 'need' ? 'need' : 'have'
  const { values, set, error, busy, submit } = useForm({ category: wanted, location: '', isHidden: false })
  const [entries, setEntries] = useState<readonly Entry[]>([empty])
  const change = (key: number, part: Partial<Entry>) =>
    setEntries((before) => before.map((entry) => (entry.key === key ? { ...entry, ...part } : entry)))
  const add = () => setEntries([...entries, { ...empty, key: (entries.at(-1)?.key ?? 0) + 1 }])
  const post = async () => {
    const { category, location, isHidden } = values
    await once(client.quartermaster.create, {
      category,
      hideOwnerName: isHidden,
      ...(location.trim() && { location: location.trim() }),
      items: entries.map(({ name, description, pictures }) => ({
        itemName: name.trim(),
        ...(description.trim() && { itemDescription: description.trim() }),
        ...pictureOf(pictures[0]),
      })),
    })
    toast(t('quartermaster.posted'))
    refresh('quartermaster')
    goOn()
  }
  return (
    <Page title={t('quartermaster.add')} back={back}>
      <form onSubmit={submit(post)}>
        <div class="card pad">
          <CategoryChoice value={values.category} change={set('category')} />
          <Place location={values.location} isHidden={values.isHidden} error={error} setLocation={set('location')} hide={set('isHidden')} />
        </div>
        {entries.map((entry, index) => (
          <EntryFields
            key={entry.key}
            number={entries.length > 1 ? index + 1 : undefined}
            entry={entry}
            change={(part) => change(entry.key, part)}
            remove={entries.length > 1 ? () => setEntries(entries.filter(({ key }) => key !== entry.key)) : undefined}
          />
        ))}
        <FormError error={error} fields={['location']} />
        <div class="buttons">
          {entries.length < maxItems && (
            <button type="button" class="btn quiet" onClick={add}>
              {t('quartermaster.another')}
            </button>
          )}
          <button type="submit" class="btn" disabled={busy}>
            {t(busy ? 'sending' : 'quartermaster.post')}
          </button>
        </div>
      </form>
    </Page>
  )
}

interface EntryFieldsProps {
  number: number | undefined
  entry: Entry
  change: (part: Partial<Entry>) => void
  remove: (() => void) | undefined
}

function EntryFields({ number, entry, change, remove }: EntryFieldsProps) {
  const pictures = usePictures(1)
  const chosen: ChosenPictures = {
    ...pictures,
    add: pictures.add,
    remove(index) {
      pictures.remove(index)
      change({ pictures: [] })
    },
  }
  if (pictures.added[0] !== entry.pictures[0] && pictures.added[0]) change({ pictures: pictures.added })
  return (
    <fieldset class="card pad plain-set">
      {number !== undefined && <legend class="headline">{t('quartermaster.number', { number })}</legend>}
      <ItemFields
        name={entry.name}
        description={entry.description}
        setName={(name) => change({ name })}
        setDescription={(description) => change({ description })}
      />
      <Chosen of={chosen} />
      <div class="buttons">
        <AddPicture of={chosen} words />
        {remove && (
          <button type="button" class="btn quiet" onClick={remove}>
            {t('quartermaster.dropEntry')}
          </button>
        )}
      </div>
    </fieldset>
  )
}

interface ItemFieldsProps {
  name: string
  description: string
  error?: unknown
  setName: (name: string) => void
  setDescription: (description: string) => void
}

function ItemFields({ name, description, error, setName, setDescription }: ItemFieldsProps) {
  return (
    <>
      <Field
        label={t('quartermaster.name')}
        value={name}
        change={setName}
        error={errorOf(error, 'itemName')}
        input={{ required: true, minLength: 2, maxLength: 100 }}
      />
      <Field
        label={t('quartermaster.description')}
        value={description}
        change={setDescription}
        error={errorOf(error, 'itemDescription')}
        rows={3}
        input={{ maxLength: 2048 }}
      />
    </>
  )
}

function CategoryChoice({ value, change }: { value: Category; change: (category: Category) => void }) {
  return (
    <Choice
      label={t('quartermaster.category')}
      value={value}
      options={[
        ['have', t('quartermaster.you.have')],
        ['need', t('quartermaster.you.need')],
      ]}
      change={change}
    />
  )
}

interface PlaceProps {
  location: string
  isHidden: boolean
  error: unknown
  setLocation: (location: string) => void
  hide: (isHidden: boolean) => void
}

function Place({ location, isHidden, error, setLocation, hide }: PlaceProps) {
  return (
    <>
      <Field
        label={t('quartermaster.place')}
        value={location}
        change={setLocation}
        hint={t('quartermaster.placeHint')}
        error={errorOf(error, 'location')}
        input={{ minLength: 3, maxLength: 100, required: isHidden }}
      />
      <label class="tick">
        <input type="checkbox" checked={isHidden} onChange={({ currentTarget }) => hide(currentTarget.checked)} />
        {t('quartermaster.hide')}
      </label>
    </>
  )
}

export function EditItem({ id }: { id: string }) {
  const item = useItem(id)
  return (
    <Page title={t('quartermaster.editTitle')} back={`/quartermaster/${id}`}>
      <Answer of={item}>{(known) => <EditForm key={known.itemID} item={known} />}</Answer>
    </Page>
  )
}

function EditForm({ item }: { item: QuartermasterData }) {
  const [params] = useSearchParams()
  const [, go] = useLocation()
  const { itemID: item_id, category, itemName, itemDescription = '', location = '', hideOwnerName, image } = item
  const pictures = usePictures(1, { names: image ? [image] : [] })
  const start = { category, name: itemName, description: itemDescription, location, isHidden: hideOwnerName }
  const { values, set, error, busy, submit } = useForm(start)
  const save = async () => {
    const { name, description, location: place, isHidden } = values
    await client.quartermaster.update({
      item_id,
      category: values.category,
      itemName: name.trim(),
      hideOwnerName: isHidden,
      ...(description.trim() && { itemDescription: description.trim() }),
      ...(place.trim() && { location: place.trim() }),
      ...pictureOf(pictures.added[0], pictures.kept[0]),
    })
    toast(t('quartermaster.changed'))
    refresh('quartermaster', 'quartermaster item')
    const from = params.get('from')
    go(from === null ? `/quartermaster/${item_id}` : from === 'have' ? '/quartermaster' : `/quartermaster/${encodeURIComponent(from)}`, {
      replace: true,
    })
  }
  return (
    <form class="card pad" onSubmit={submit(save)}>
      <CategoryChoice value={values.category} change={set('category')} />
      <ItemFields
        name={values.name}
        description={values.description}
        error={error}
        setName={set('name')}
        setDescription={set('description')}
      />
      <Place location={values.location} isHidden={values.isHidden} error={error} setLocation={set('location')} hide={set('isHidden')} />
      <Chosen of={pictures} />
      <FormError error={error} fields={['itemName', 'itemDescription', 'location']} />
      <div class="buttons">
        <AddPicture of={pictures} words />
        <button type="submit" class="btn" disabled={busy || pictures.isBusy}>
          {t('save')}
        </button>
      </div>
    </form>
  )
}
