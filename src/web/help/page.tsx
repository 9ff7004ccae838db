// Help, rules and the product itself: Markdown of the server's public files, and of the repository.
import { Link } from 'wouter-preact'
import { OpenIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { openPictures } from '../kit/picture.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { isModerator, me } from '../session.ts'
import { useQuery } from '../store.ts'
import { language, t, type Language, type TextKey } from '../texts.ts'
import { Markdown } from './markdown.tsx'

const dayMs = 24 * 60 * 60_000
/** The host may change them at any time. */
const publicMs = 60_000
const sources = {
  welcome: () => publicFile('welcome.md'),
  people: () => publicFile('twitarrhelptext.md'),
  faq: () => publicFile('faq.md'),
  codeOfConduct: () => publicFile('codeofconduct.md'),
  hosts: () => import('../../operate/README.md').then(({ default: text }) => text),
  bots: () => import('../../sdk/README.md').then(({ default: text }) => text),
  groups: () => guide({ en: () => import('./guides/groups.en.md'), de: () => import('./guides/groups.de.md') }),
  privacy: () => guide({ en: () => import('./guides/privacy.en.md'), de: () => import('./guides/privacy.de.md') }),
  host: () => guide({ en: () => import('./guides/host.en.md'), de: () => import('./guides/host.de.md') }),
  operate: () => guide({ en: () => import('./guides/operate.en.md'), de: () => import('./guides/operate.de.md') }),
  moderators: () => guide({ en: () => import('./guides/moderators.en.md'), de: () => import('./guides/moderators.de.md') }),
}
export type HelpText = keyof typeof sources

/** Text of the product's own, in the reader's language. */
const guide = async (of: Readonly<Record<Language, () => Promise<{ default: string }>>>) => (await of[language.value]()).default

/** The text that a part of an address means. */
export const helpNamed = (name: string): HelpText => (name in sources ? (name as HelpText) : 'people')

async function publicFile(name: string): Promise<string> {
  const response = await fetch(`/public/${name}`)
  if (!response.ok) throw new Error(t('noHelpText'))
  return response.text()
}

/** The host's words to everybody who comes. */
export function Welcome() {
  const text = useQuery({ queryKey: ['help', 'welcome'], queryFn: sources.welcome, staleTime: publicMs })
  if (!text.data) return null
  return (
    <article class="card pad text">
      <Markdown text={text.data} />
    </article>
  )
}

/** One text as a page. */
export function Help({ which }: { which: HelpText }) {
  const text = useQuery({ queryKey: ['help', which, language.value], queryFn: sources[which], staleTime: publicMs })
  return (
    <Page title={t(`help.${which}` as TextKey)} back={me.value ? '/help' : '/login'}>
      <Answer of={text} rows={8}>
        {(markdown) => (
          <article class="card pad text">
            <Markdown text={markdown} />
          </article>
        )}
      </Answer>
    </Page>
  )
}

const addresses: Partial<Record<HelpText, string>> = { faq: '/faq', codeOfConduct: '/codeOfConduct' }
const forEverybody = ['welcome', 'people', 'faq', 'groups', 'codeOfConduct', 'privacy'] as const
const forTheTeam = ['moderators', 'host', 'operate', 'hosts'] as const

export function HelpIndex() {
  return (
    <Page title={t('help')} back={me.value ? '/account' : '/login'}>
      <ul class="card">
        <HelpTexts of={forEverybody} />
        <HelpLine href="/about" text={t('aboutApp')} />
      </ul>
      <Section title={t('help.forTheTeam')}>
        <ul class="card">
          <HelpTexts of={forTheTeam} />
        </ul>
      </Section>
      <Section title={t('help.bots')}>
        <ul class="card">
          <HelpLine href="/help/bots" text={t('help.programs')} />
          <li class="line-item">
            <a href="/docs">
              <span>{t('help.api')}</span>
              <OpenIcon size={18} />
            </a>
          </li>
        </ul>
      </Section>
    </Page>
  )
}

function HelpTexts({ of }: { of: readonly HelpText[] }) {
  return (
    <>
      {of.map((which) => (
        <HelpLine key={which} href={addresses[which] ?? `/help/${which}`} text={t(`help.${which}` as TextKey)} />
      ))}
    </>
  )
}

function HelpLine({ href, text }: { href: string; text: string }) {
  return (
    <li class="line-item">
      <Link href={href}>
        <span>{text}</span>
        <OpenIcon size={18} />
      </Link>
    </li>
  )
}

/** Filled in by launch/web.mjs. */
declare const productVersion: string

export function About() {
  return (
    <Page title={t('aboutApp')} back={me.value ? '/help' : '/login'}>
      <div class="card pad text about-app">
        <img src="/icon.svg" alt="" width={64} height={64} />
        <p class="headline">Quarterdeck {productVersion}</p>
        <p>{t('aboutText')}</p>
        <p>{t('aboutPrivacy')}</p>
      </div>
      <Section title={t('help')}>
        <ul class="card">
          <HelpLine href="/codeOfConduct" text={t('help.codeOfConduct')} />
          <HelpLine href="/faq" text={t('help.faq')} />
          <HelpLine href="/help/hosts" text={t('help.hosts')} />
        </ul>
      </Section>
    </Page>
  )
}

/** A picture of the ship, if the host has put one among the public files. */
export function ShipMap() {
  const map = useQuery({ queryKey: ['map'], queryFn: findMap, staleTime: dayMs })
  return (
    <Page title={t('map')} back={me.value ? '/account' : '/login'}>
      <Answer of={map}>
        {(address) =>
          address ? (
            <>
              <button type="button" class="card map" aria-label={t('map.open')} onClick={() => void attempt(() => openMap(address))}>
                <img src={address} alt={t('mapOfTheShip')} />
              </button>
              <p class="quiet pad">{t('map.hint')}</p>
            </>
          ) : (
            <Empty title={t('noMap')}>{t(isModerator.value ? 'noMapText' : 'noMapYet')}</Empty>
          )
        }
      </Answer>
    </Page>
  )
}

const openMap = (src: string) => openPictures([{ name: src.slice(src.lastIndexOf('/') + 1), src, alt: t('mapOfTheShip') }], 0)

async function findMap(): Promise<string> {
  const { file = '' } = JSON.parse(await publicFile('map.json')) as { file?: string }
  return file && `/public/${file}`
}
