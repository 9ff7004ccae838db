// One's own profile, to be edited.
import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { ProfileEditData, UserProfileUploadData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Face } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Page } from '../kit/page.tsx'
import { pictureTypes, Progress, shrink } from '../kit/upload.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { me } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t, type TextKey } from '../texts.ts'

const lines = ['displayName', 'realName', 'preferredPronoun', 'homeLocation', 'roomNumber', 'email', 'message', 'discordUsername'] as const
const maxLengths: Partial<Record<(typeof lines)[number], number>> = { roomNumber: 20, message: 80 }

const ownPage = () => `/profile/${encodeURIComponent(me.value?.username ?? '')}`

export function EditProfile() {
  const profile = useQuery({ queryKey: ['own profile'], queryFn: () => client.user.profile(), staleTime: 0 })
  return (
    <Page title={t('editProfile')} back={ownPage()}>
      <Answer of={profile}>{(data) => <ProfileForm profile={data} />}</Answer>
    </Page>
  )
}

function ProfileForm({ profile }: { profile: ProfileEditData }) {
  const [, go] = useLocation()
  const { values, set, error, busy, submit } = useForm<Record<string, string>>(
    Object.fromEntries([...lines, 'about' as const, 'dinnerTeam' as const].map((name) => [name, profile[name] ?? ''])),
  )
  const save = async () => {
    await client.user.setProfile(values as UserProfileUploadData)
    refresh('profile', 'own profile')
    go(ownPage(), { replace: true })
  }
  const field = (name: string, more: { rows?: number; maxLength: number }) => (
    <Field
      key={name}
      label={t(`profile.${name}` as TextKey)}
      value={values[name] ?? ''}
      change={set(name)}
      error={errorOf(error, name)}
      {...(more.rows && { rows: more.rows })}
      input={{ maxLength: more.maxLength }}
    />
  )
  return (
    <>
      <Portrait profile={profile} />
      <form class="card pad" onSubmit={submit(save)}>
        {lines.map((line) => field(line, { maxLength: maxLengths[line] ?? 50 }))}
        {field('about', { rows: 4, maxLength: 400 })}
        <Choice
          label={t('profile.dinnerTeam')}
          value={values['dinnerTeam'] ?? ''}
          change={set('dinnerTeam')}
          options={[
            ['', '–'],
            ['red', t('dinner.red')],
            ['gold', t('dinner.gold')],
            ['sro', t('dinner.sro')],
          ]}
        />
        <FormError error={error} fields={[...lines, 'about']} />
        <button type="submit" class="btn" disabled={busy}>
          {t('save')}
        </button>
      </form>
    </>
  )
}

function Portrait({ profile }: { profile: ProfileEditData }) {
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [share, setShare] = useState<number>()
  const [unsent, setUnsent] = useState<Blob>()
  const change = async (work: () => Promise<unknown>) => {
    setBusy(true)
    const done = await attempt(work)
    if (done) refresh('profile', 'own profile')
    setBusy(false)
    return done
  }
  const upload = async (image: Blob) => {
    const done = await change(() => client.user.image({ image }, { onProgress: setShare }))
    setShare(undefined)
    setUnsent(done ? undefined : image)
  }
  return (
    <div class="card pad own-portrait">
      <Face user={profile.header} />
      <input
        ref={chooser}
        type="file"
        accept={pictureTypes}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) void shrink(file).then(upload)
          currentTarget.value = ''
        }}
      />
      <button type="button" class="btn quiet" disabled={busy} onClick={() => chooser.current?.click()}>
        {t('newPicture')}
      </button>
      {unsent && (
        <button type="button" class="btn quiet" disabled={busy} onClick={() => void upload(unsent)}>
          {t('again')}
        </button>
      )}
      {profile.header.userImage && (
        <button type="button" class="btn quiet" disabled={busy} onClick={() => void change(() => client.user.removeImage())}>
          {t('remove')}
        </button>
      )}
      <Progress share={share} />
    </div>
  )
}
