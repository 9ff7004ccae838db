// A person's own lists of people: for writing to all of them at once.
import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { BarrelData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Ask } from '../kit/ask.tsx'
import { Menu } from '../kit/menu.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { CloseIcon, SeamailIcon } from '../kit/icon.tsx'
import { OpenIcon, PlusIcon } from '../kit/page-icon.tsx'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { useSure } from '../kit/sure.tsx'
import { attempt } from '../kit/toast.tsx'
import { mayWrite } from '../session.ts'
import { queries, refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { PeoplePicker } from '../users/picker.tsx'

export const useBarrels = () => useQuery({ queryKey: ['barrels'], queryFn: () => client.user.barrelsSeamonkey() })

export function Barrels() {
  const barrels = useBarrels()
  const [, go] = useLocation()
  const [naming, setNaming] = useState(false)
  const create = async (name: string) => {
    const { barrelID } = await once(client.user.createBarrel, { name: name.trim(), uuidList: [] })
    refresh('barrels')
    go(`/barrels/${barrelID}`)
  }
  return (
    <Page
      title={t('barrels')}
      back="/account"
      actions={
        <button type="button" class="round plain" aria-label={t('newBarrel')} aria-haspopup="dialog" onClick={() => setNaming(true)}>
          <PlusIcon />
        </button>
      }
    >
      <Answer of={barrels}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('noBarrels')}>{t('noBarrelsText')}</Empty>
          ) : (
            <ul class="card">
              {all.map(({ barrelID, name }) => (
                <Row key={barrelID} href={`/barrels/${barrelID}`} title={name} tail={<OpenIcon size={18} />} />
              ))}
            </ul>
          )
        }
      </Answer>
      {naming && (
        <Ask title={t('newBarrel')} label={t('barrelName')} done={t('create')} field="name" run={create} close={() => setNaming(false)} />
      )}
    </Page>
  )
}

export function Barrel({ id }: { id: string }) {
  const key = ['barrels', id]
  const barrel = useQuery({ queryKey: key, queryFn: () => client.user.barrel({ barrel_id: id }) })
  const [, go] = useLocation()
  const [naming, setNaming] = useState(false)
  const put = (work: Promise<BarrelData>) => attempt(async () => queries.setQueryData(key, await work))
  const rename = async (name: string) => {
    queries.setQueryData(key, await client.user.barrelsRename({ barrel_id: id, barrel_name: name.trim() }))
    refresh('barrels')
  }
  const { ask, question } = useSure()
  const remove = async () => {
    await client.user.removeBarrel({ barrel_id: id })
    go('/barrels', { replace: true })
    refresh('barrels')
  }
  const people = barrel.data?.seamonkeys ?? []
  return (
    <Page
      title={barrel.data?.name ?? t('barrel')}
      back="/barrels"
      actions={
        <>
          {mayWrite.value && people.length > 0 && (
            <Link class="round plain" href={`/seamail/new?list=${id}`} aria-label={t('writeToAll')}>
              <SeamailIcon />
            </Link>
          )}
          <Menu
            title={t('barrelMenu')}
            actions={[
              { label: t('rename'), opens: true, run: () => setNaming(true) },
              {
                label: t('delete'),
                grave: true,
                opens: true,
                run: () => ask({ title: t('sure.barrel'), text: t('sure.barrelText'), done: t('delete'), run: remove }),
              },
            ]}
          />
        </>
      }
    >
      {question}
      <div class="card pad">
        <PeoplePicker
          label={t('addSomebody')}
          chosen={people}
          choose={({ userID }) => void put(client.user.barrelsAdd({ barrel_id: id, string: userID }))}
        />
      </div>
      <Answer of={barrel}>
        {({ seamonkeys }) => (
          <ul class="card">
            {seamonkeys.map((user) => (
              <Member
                key={user.userID}
                user={user}
                remove={() => void put(client.user.barrelsRemove({ barrel_id: id, string: user.userID }))}
              />
            ))}
          </ul>
        )}
      </Answer>
      {naming && (
        <Ask
          title={t('rename')}
          label={t('barrelName')}
          done={t('save')}
          field="barrel_name"
          value={barrel.data?.name ?? ''}
          run={rename}
          close={() => setNaming(false)}
        />
      )}
    </Page>
  )
}

function Member({ user, remove }: { user: UserHeader; remove: () => void }) {
  return (
    <Row
      href={`/profile/${encodeURIComponent(user.username)}`}
      lead={<Face user={user} />}
      title={nameOf(user)}
      sub={user.displayName && `@${user.username}`}
      tail={
        <button type="button" class="round plain" aria-label={t('removeName', { name: nameOf(user) })} onClick={remove}>
          <CloseIcon size={18} />
        </button>
      }
    />
  )
}
