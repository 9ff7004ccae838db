// Pictures that are chosen for a post: those it has already, by their names, and new ones after them.
import { useRef, useState } from 'preact/hooks'
import { client } from '../client.ts'
import { language, t } from '../texts.ts'
import { Ask } from './ask.tsx'
import { CloseIcon } from './icon.tsx'
import { CameraIcon } from './page-icon.tsx'
import { useDraft } from './draft.ts'
import { attempt, toast } from './toast.tsx'
import { isPicture, pictureTypes, Preview, shrink } from './upload.tsx'

/** Letters of a description. */
export const maxDescription = 500

/** The same for forums and the microblog. */
export const maxPicturesOfPost = 4

/** A picture that is to be sent. */
export interface NewPicture {
  image: Blob
  /** What is to be seen in it. */
  alt?: string
}

/** What is chosen, and how that changes. */
export interface ChosenPictures {
  /** Names of those that the post has already. */
  readonly kept: readonly string[]
  readonly added: readonly Blob[]
  /** What is to be seen in those that are added, in their order. */
  readonly alts: readonly string[]
  /** Those that are added, as they are sent. */
  readonly toSend: NewPicture[]
  readonly isFull: boolean
  /** One is being made smaller, and will be among them: without it nothing should be sent. */
  readonly isBusy: boolean
  readonly takesMany: boolean
  add(files: readonly File[]): void
  /** By its place among all. */
  remove(index: number): void
  /** By its place among those that are added. */
  describe(index: number, alt: string): void
  clear(): void
}

interface ChosenAlready {
  /** Names of pictures that the post has. */
  names?: readonly string[]
  /** What is chosen is kept for it until it is sent, as its words are. */
  place?: string
}

export function usePictures(max: number, { names = [], place }: ChosenAlready = {}): ChosenPictures {
  const [kept, setKept] = useState(names)
  const [added, setAdded] = useDraft<readonly Blob[]>(place && `pictures ${place}`, [])
  const [alts, setAlts] = useDraft<readonly string[]>(place && `alts ${place}`, [])
  const [isBusy, setBusy] = useState(false)
  const count = kept.length + added.length
  return {
    kept,
    added,
    alts,
    toSend: added.map((image, index) => ({ image, ...(alts[index] && { alt: alts[index] }) })),
    isFull: count >= max,
    isBusy,
    takesMany: max > 1,
    add: (files) =>
      void attempt(async () => {
        setBusy(true)
        try {
          // One after the other: a phone has little memory, and each of them is large there.
          for (const file of fitting(files, max - count)) {
            const smaller = await shrink(file)
            setAdded((before) => [...before, smaller])
          }
        } finally {
          setBusy(false)
        }
      }),
    remove(index) {
      setKept(kept.filter((_, at) => at !== index))
      setAdded(added.filter((_, at) => at + kept.length !== index))
      setAlts(added.map((_, at) => alts[at] ?? '').filter((_, at) => at + kept.length !== index))
    },
    describe: (index, alt) => setAlts(added.map((_, at) => (at === index ? alt.trim() : (alts[at] ?? '')))),
    clear() {
      setKept([])
      setAdded([])
      setAlts([])
    },
  }
}

/** Those that can be taken. Says which are not, and why. */
function fitting(files: readonly File[], room: number): readonly File[] {
  const pictures = files.filter(isPicture)
  const others = files.filter((file) => !isPicture(file))
  if (others.length > 0) toast(t('choose.noPicture', { names: namesOf(others) }), { wrong: true })
  const left = pictures.slice(Math.max(0, room))
  if (left.length > 0) toast(t('choose.noRoom', { n: pictures.length - left.length, names: namesOf(left) }), { wrong: true })
  return pictures.slice(0, Math.max(0, room))
}

const namesOf = (files: readonly File[]) => new Intl.ListFormat(language.value).format(files.map(({ name }) => name))

/** Small pictures of what is chosen, each with a button that takes it away. */
export function Chosen({ of: { kept, added, alts, remove, describe } }: { of: ChosenPictures }) {
  const [asked, ask] = useState<number>()
  const all = [...kept, ...added]
  if (all.length === 0) return null
  return (
    <>
      <div class="chosen">
        {all.map((picture, index) => {
          const size = { alt: t('picture', { number: index + 1 }), width: 64, height: 64 }
          return (
            <span key={index}>
              {typeof picture === 'string' ? (
                <img src={client.image.thumb.url({ image_filename: picture })} {...size} />
              ) : (
                <Preview of={picture} {...size} />
              )}
              <button
                type="button"
                class="round plain"
                aria-label={t('removePicture', { number: index + 1 })}
                onClick={() => remove(index)}
              >
                <CloseIcon size={16} />
              </button>
              {typeof picture !== 'string' && (
                <Describe alt={alts[index - kept.length]} number={index + 1} ask={() => ask(index - kept.length)} />
              )}
            </span>
          )
        })}
      </div>
      {asked !== undefined && (
        <Ask
          title={t('describe.title')}
          label={t('describe.label')}
          done={t('save')}
          value={alts[asked] ?? ''}
          rows={3}
          input={{ maxLength: maxDescription }}
          close={() => ask(undefined)}
          run={async (alt) => describe(asked, alt)}
        />
      )}
    </>
  )
}

/** Asks once for words in place of a picture. */
function Describe({ alt, number, ask }: { alt: string | undefined; number: number; ask: () => void }) {
  return (
    <button
      type="button"
      class={alt ? 'describe on' : 'describe'}
      aria-label={t(alt ? 'describe.done' : 'describe.ask', { number })}
      onClick={ask}
    >
      {alt ? 'ALT ✓' : '+ ALT'}
    </button>
  )
}

/** Opens the device's pictures. `words`: with its name on it. */
export function AddPicture({ of, words }: { of: ChosenPictures; words?: boolean }) {
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={chooser}
        type="file"
        accept={pictureTypes}
        multiple={of.takesMany}
        hidden
        onChange={({ currentTarget }) => {
          of.add(Array.from(currentTarget.files ?? []))
          // The same file may be chosen once more.
          currentTarget.value = ''
        }}
      />
      <button
        type="button"
        class={words ? 'btn quiet' : 'round plain'}
        {...(!words && { 'aria-label': t('addPicture') })}
        disabled={of.isFull || of.isBusy}
        onClick={() => chooser.current?.click()}
      >
        <CameraIcon />
        {words && t('addPicture')}
      </button>
    </>
  )
}
