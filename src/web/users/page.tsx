// People: the directory, and one person's profile.
import { useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { ProfilePublicData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { belowMore } from '../kit/beside.tsx'
import { Ask } from '../kit/ask.tsx'
import { Menu } from '../kit/menu.tsx'
import { nameOf } from '../kit/face.tsx'
import { ForumsIcon, SeamailIcon } from '../kit/icon.tsx'
import { ContactIcon, EditIcon, PhoneIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Report } from '../kit/report.tsx'
import { PersonRow } from '../kit/person-row.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { ShareButton } from '../kit/share.tsx'
import { Star } from '../kit/star.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { offerUndo } from '../kit/sure.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { Words } from '../kit/words.tsx'
import { Stream } from '../microblog/page.tsx'
import { useIsOff } from '../switches/gate.tsx'
import { startCall } from '../phone/start.ts'
import { mayWrite, me } from '../session.ts'
import { forget, queries, refresh, useQuery } from '../store.ts'
import { t, type TextKey } from '../texts.ts'
import { usePeople } from './picker.tsx'

export function Directory() {
  const [search, setSearch] = useSearchWords()
  const found = usePeople(search)
  const favorites = useQuery({ queryKey: ['people', 'favorites'], queryFn: () => client.users.favorites() })
  return (
    <Page title={t('people')} {...belowMore()}>
      <SearchField label={t('findPeople')} change={setSearch} start={search} />
      {search.length >= 2 ? (
        <Answer of={found}>{(users) => <PeopleList users={users} />}</Answer>
      ) : (
        <Section title={t('favorites')}>
          <Answer of={favorites}>{(users) => <PeopleList users={users} none={t('noFavorites')} />}</Answer>
        </Section>
      )}
    </Page>
  )
}

function PeopleList({ users, none = t('nothingFound') }: { users: readonly UserHeader[]; none?: string }) {
  if (users.length === 0) return <Empty title={none} />
  return (
    <ul class="card">
      {users.map((user) => (
        <PersonRow key={user.userID} user={user} />
      ))}
    </ul>
  )
}

const facts = ['realName', 'preferredPronoun', 'homeLocation', 'roomNumber', 'email', 'discordUsername'] as const

export function Profile({ name }: { name: string }) {
  const profile = useQuery({
    queryKey: ['profile', name],
    queryFn: async () => client.users.profile({ user_id: (await client.users.find({ user_search_string: name })).userID }),
  })
  const data = profile.data
  const isMe = data?.header.userID === me.value?.userID
  return (
    <Page
      title={data ? nameOf(data.header) : name}
      sub={`@${data?.header.username ?? name}`}
      back="/directory"
      actions={data && !isMe && <Actions profile={data} name={name} />}
    >
      <Answer of={profile}>
        {(known) => (
          <>
            <About profile={known} isMe={isMe} />
            <p class="links">
              <a class="btn quiet" href={client.users.vcard.url({ user_id: known.header.userID })} download>
                <ContactIcon size={18} /> {t('profile.vcard')}
              </a>
              <ShareButton path={`/profile/${encodeURIComponent(known.header.username)}`} title={nameOf(known.header)} />
              <Link class="btn quiet" href={`/forums?by=${encodeURIComponent(known.header.username)}`}>
                <ForumsIcon size={18} /> {t('forumsBy', { name: nameOf(known.header) })}
              </Link>
            </p>
            <Section title={t('microblog')}>
              <Stream filter={{ byUsername: known.header.username }} />
            </Section>
          </>
        )}
      </Answer>
    </Page>
  )
}

function About({ profile, isMe }: { profile: ProfilePublicData; isMe: boolean }) {
  const { header, message, about, note } = profile
  return (
    <section class="card pad about" aria-label={t('profile')}>
      {header.userImage && (
        <img class="portrait" src={client.image.full.url({ image_filename: header.userImage })} alt="" width={160} height={160} />
      )}
      {message && <p class="headline">{message}</p>}
      <dl>
        {facts.map((fact) => {
          const value = fact === 'preferredPronoun' ? header.preferredPronoun : profile[fact]
          return (
            value && (
              <div key={fact}>
                <dt>{t(`profile.${fact}` as TextKey)}</dt>
                <dd>{value}</dd>
              </div>
            )
          )
        })}
      </dl>
      {!message && !about && !facts.some((fact) => fact !== 'preferredPronoun' && profile[fact]) && <p class="quiet">{t('nothingTold')}</p>}
      {about && (
        <p class="words">
          <Words text={about} />
        </p>
      )}
      {note && <p class="notice">{note}</p>}
      {isMe && (
        <Link class="btn quiet" href="/account/profile">
          <EditIcon size={18} /> {t('editProfile')}
        </Link>
      )}
    </section>
  )
}

function Actions({ profile: { header, isFavorite, note = '' }, name }: { profile: ProfilePublicData; name: string }) {
  const [, go] = useLocation()
  const [open, setOpen] = useState<'note' | 'report'>()
  const user_id = header.userID
  const callsOff = useIsOff('phone')
  const close = () => setOpen(undefined)
  const after = async (work: Promise<unknown>) => {
    await work
    await queries.invalidateQueries({ queryKey: ['profile', name] })
    refresh('people', 'chats', 'forums', 'microblog')
  }
  const block = async () => {
    const done = await attempt(async () => {
      await client.users.block({ user_id })
      await forget('profile', 'people', 'chats', 'chat', 'forums', 'forum', 'microblog')
    })
    if (!done) return
    offerUndo(t('blocked', { name: nameOf(header) }), async () => {
      await client.users.unblock({ user_id })
      await forget('profile', 'people', 'chats', 'chat', 'forums', 'forum', 'microblog')
    })
    go('/blocks', { replace: true })
  }
  const mute = () =>
    attempt(async () => {
      await after(client.users.mute({ user_id }))
      toast(t('mutedName', { name: nameOf(header) }))
    })
  return (
    <>
      <Star
        on={isFavorite}
        label={t('favorite')}
        press={() => void attempt(() => after(isFavorite ? client.users.removeFavorite({ user_id }) : client.users.favorite({ user_id })))}
      />
      {mayWrite.value && (
        <Link
          class="round plain"
          href={`/seamail/new?to=${encodeURIComponent(header.username)}`}
          aria-label={t('writeTo', { name: nameOf(header) })}
        >
          <SeamailIcon />
        </Link>
      )}
      {mayWrite.value && !callsOff && (
        <button type="button" class="round plain" aria-label={t('callName', { name: nameOf(header) })} onClick={() => startCall(header)}>
          <PhoneIcon />
        </button>
      )}
      <Menu
        title={t('profileMenu')}
        actions={[
          { label: t('note'), opens: true, run: () => setOpen('note') },
          { label: t('muteUser'), run: () => void mute() },
          { label: t('blockUser'), grave: true, run: () => void block() },
          { label: t('report'), opens: true, run: () => setOpen('report') },
        ]}
      />
      {open === 'note' && (
        <Ask
          title={t('note')}
          label={t('noteLabel')}
          done={t('save')}
          rows={4}
          value={note}
          close={close}
          run={(text) => after(text.trim() === '' ? client.users.removeNote({ user_id }) : client.users.setNote({ user_id, note: text }))}
        />
      )}
      {open === 'report' && <Report close={close} report={(message) => client.users.report({ user_id, message })} />}
    </>
  )
}
