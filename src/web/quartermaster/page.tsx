// The item board: lists, one item, and what the board is for.
import { useState } from 'preact/hooks'
import { Link, useLocation, useSearchParams } from 'wouter-preact'
import type { QuartermasterData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { belowMore } from '../kit/beside.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { GrowingEnd } from '../kit/growing.tsx'
import { ScheduleIcon, SeamailIcon } from '../kit/icon.tsx'
import { Menu } from '../kit/menu.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { DeleteIcon, EditIcon, FlagIcon, PlaceIcon, PlusIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { Pictures } from '../kit/picture.tsx'
import { Report } from '../kit/report.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'
import { useItem, useItems, type View } from './query.ts'

const pathOf = (view: View) => (view === 'have' ? '/quartermaster' : `/quartermaster/${view}`)

export function Board({ view }: { view: View }) {
  const [, go] = useLocation()
  const [params, setParams] = useSearchParams()
  const search = params.get('search') ?? ''
  const items = useItems(view, search)
  const create = `/quartermaster/create?from=${view}${view === 'owned' ? '' : `&category=${view}`}`
  return (
    <Page
      title={t('quartermaster')}
      {...belowMore()}
      actions={
        mayWrite.value && (
          <Link href={create} class="round plain" aria-label={t('quartermaster.add')}>
            <PlusIcon />
          </Link>
        )
      }
    >
      <NotYet />
      <Tabs
        label={t('lists')}
        value={view}
        options={[
          ['have', t('quartermaster.have')],
          ['need', t('quartermaster.need')],
          ['owned', t('quartermaster.owned')],
        ]}
        change={(next) => go(pathOf(next))}
      />
      <SearchField
        key={view}
        label={t('quartermaster.search')}
        start={search}
        change={(words) => words !== search && setParams(words ? { search: words } : {}, { replace: true })}
      />
      <div class="after-tabs">
        <Answer of={items}>
          {({ pages }) => {
            const all = pages.flatMap((page) => page.items)
            if (all.length === 0)
              return (
                <Empty title={t(search ? 'nothingFound' : `quartermaster.none.${view}`)}>
                  {!search && <Link href="/quartermaster/about">{t('quartermaster.about')}</Link>}
                </Empty>
              )
            return (
              <>
                <ul class="card">
                  {all.map((item) => (
                    <ItemRow key={item.itemID} item={item} withCategory={view === 'owned'} />
                  ))}
                </ul>
                <GrowingEnd of={items} label={t('quartermaster.more')} />
                <p class="links">
                  <Link href="/quartermaster/about">{t('quartermaster.about')}</Link>
                </p>
              </>
            )
          }}
        </Answer>
      </div>
    </Page>
  )
}

const joined = (parts: readonly (string | undefined | false)[]) => parts.filter(Boolean).join(' · ')

function ItemRow({ item, withCategory }: { item: QuartermasterData; withCategory: boolean }) {
  const { itemID, category, itemName, itemDescription, location, image, owner, lastModificationTime } = item
  return (
    <li>
      <Link href={`/quartermaster/${itemID}`} class="row item">
        {image && <img src={client.image.thumb.url({ image_filename: image })} alt="" width={64} height={64} loading="lazy" />}
        <div class="row-text">
          <p>{itemName}</p>
          {itemDescription && <small class="item-line">{itemDescription}</small>}
          <small>
            {joined([withCategory && t(`quartermaster.is.${category}`), location, owner && !withCategory && nameOf(owner)])}
            {' · '}
            <time dateTime={lastModificationTime}>{when(lastModificationTime)}</time>
          </small>
        </div>
      </Link>
    </li>
  )
}

export function Item({ id }: { id: string }) {
  const item = useItem(id)
  const { data } = item
  return (
    <Page
      title={data?.itemName ?? t('quartermaster')}
      back={data?.category === 'need' ? '/quartermaster/need' : '/quartermaster'}
      actions={data && <ItemMenu item={data} />}
    >
      <Answer of={item}>{(shown) => <Whole item={shown} />}</Answer>
    </Page>
  )
}

function Whole({ item }: { item: QuartermasterData }) {
  const { category, itemDescription, location, image, imageSize, owner, hideOwnerName, lastModificationTime } = item
  const isMine = owner?.userID === me.value?.userID
  return (
    <article class="card pad about">
      <p>
        <span class="chip">{t(`quartermaster.is.${category}`)}</span>
      </p>
      <Pictures names={image ? [image] : undefined} sizes={imageSize && [imageSize]} text={itemDescription} />
      {itemDescription && <p class="words">{itemDescription}</p>}
      {location && (
        <p class="fact">
          <PlaceIcon size={18} /> {location}
        </p>
      )}
      <p class="fact">
        <ScheduleIcon size={18} />
        <time dateTime={lastModificationTime}>{when(lastModificationTime)}</time>
      </p>
      {owner ? (
        <Link class="author" href={`/profile/${encodeURIComponent(owner.username)}`}>
          <Face user={owner} />
          <span>
            <b>{nameOf(owner)}</b>
            <small>@{owner.username}</small>
          </span>
        </Link>
      ) : (
        <p class="quiet">{t('quartermaster.hidden')}</p>
      )}
      {isMine && hideOwnerName && <p class="quiet">{t('quartermaster.youAreHidden')}</p>}
      {owner && !isMine && mayWrite.value && (
        <p class="buttons">
          <Link class="btn" href={`/seamail/new?to=${owner.userID}`}>
            <SeamailIcon size={18} /> {t('quartermaster.write')}
          </Link>
        </p>
      )}
    </article>
  )
}

function ItemMenu({ item }: { item: QuartermasterData }) {
  const { itemID: item_id, owner, category, moderationStatus } = item
  const [params] = useSearchParams()
  const [open, setOpen] = useState<'report' | 'delete' | undefined>(params.has('report') ? 'report' : undefined)
  const [, go] = useLocation()
  const isMine = owner?.userID === me.value?.userID
  const isClosed = moderationStatus !== 'normal' && moderationStatus !== 'modReviewed'
  const mayChange = isModerator.value || (isMine && !isClosed && mayWrite.value)
  const close = () => setOpen(undefined)
  const remove = () =>
    attempt(async () => {
      await client.quartermaster.remove({ item_id })
      toast(t('quartermaster.removed'))
      refresh('quartermaster')
      go(isMine ? '/quartermaster/owned' : pathOf(category), { replace: true })
    })
  return (
    <>
      <Menu
        title={t('quartermaster.menu')}
        actions={[
          mayChange && { label: t('edit'), icon: <EditIcon size={20} />, run: () => go(`/quartermaster/${item_id}/edit`) },
          !isMine && { label: t('report'), icon: <FlagIcon size={20} />, opens: true, run: () => setOpen('report') },
          mayChange && {
            label: t('quartermaster.remove'),
            icon: <DeleteIcon size={20} />,
            grave: true,
            opens: true,
            run: () => setOpen('delete'),
          },
        ]}
      />
      {open === 'report' && <Report report={(message) => client.quartermaster.report({ item_id, message })} close={close} />}
      {open === 'delete' && (
        <Dialog title={t('quartermaster.askRemove')} close={close}>
          <p>{t('quartermaster.askRemoveText')}</p>
          <div class="buttons">
            <button type="button" class="btn quiet" onClick={close}>
              {t('cancel')}
            </button>
            <button type="button" class="btn grave" onClick={() => void remove()}>
              {t('quartermaster.remove')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

export function AboutBoard() {
  return (
    <Page title={t('quartermaster.about')} back="/quartermaster">
      <div class="card pad about">
        {(['what', 'have', 'need', 'hidden', 'fair'] as const).map((part) => (
          <p key={part}>{t(`quartermaster.about.${part}`)}</p>
        ))}
      </div>
    </Page>
  )
}
