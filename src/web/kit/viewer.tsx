// Pictures in full, over the page: swiped through, pinched, saved, shared. Loaded when the first one is opened.
import PhotoSwipe, { type SlideData } from 'photoswipe'
import 'photoswipe/style.css'
import './viewer.css'
import type { ImageSizeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { addTexts, t } from '../texts.ts'
import en from '../texts/viewer.en.json'
import type { ShownPicture } from './picture.tsx'
import { attempt } from './toast.tsx'

declare module '../texts.ts' {
  interface Books {
    viewer: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/viewer.de.json') } })

/** Shown when nothing can be measured. */
const unknownSize = { width: 1600, height: 1200 }

/** Opens the pictures at one of them. Resolves when they are closed, with the place of the one that was shown last. */
export async function view(pictures: readonly ShownPicture[], start: number): Promise<number> {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const slides = pictures.map((picture) => slideOf(picture))
  // The first is as large as it is at once; of others it is enough to know when they are near.
  await Promise.all(slides.slice(Math.max(0, start - 1), start + 2).map(measure))
  const viewer = new PhotoSwipe({
    dataSource: slides,
    index: start,
    loop: false,
    bgOpacity: 1,
    // While it opened slowly, it could not be closed.
    showHideAnimationType: 'none',
    zoomAnimationDuration: still ? false : 250,
    closeTitle: t('close'),
    zoomTitle: t('viewer.zoom'),
    arrowPrevTitle: t('viewer.before'),
    arrowNextTitle: t('viewer.next'),
    errorMsg: t('viewer.failed'),
    // Room for what is said about it.
    paddingFn: ({ x }) => ({ top: 0, bottom: x > 600 ? 72 : 96, left: 0, right: 0 }),
  })
  const shown = () => pictures[viewer.currIndex] as ShownPicture
  viewer.addFilter('itemData', (item, index) => {
    // By then it is there; until then its room is a guess.
    if (!item.width) void measure(slides[index] as SlideData).then(() => viewer.refreshSlideContent(index))
    return { ...unknownSize, ...item }
  })
  viewer.on('uiRegister', () => addControls(viewer, shown))
  return new Promise((resolve) => {
    let last = start
    viewer.on('change', () => (last = viewer.currIndex))
    const leave = leaveByBack(() => viewer.close())
    viewer.on('close', () => {
      // The address is that of the page again only then, and the page may want another.
      const hasLeft = leave()
      viewer.on('destroy', () => void hasLeft.then(() => resolve(last)))
    })
    viewer.init()
    viewer.element?.setAttribute('aria-modal', 'true')
    viewer.element?.setAttribute('aria-label', t('pictureTitle'))
  })
}

const addressOf = ({ name, src }: ShownPicture) => src ?? client.image.full.url({ image_filename: name })

function slideOf(picture: ShownPicture): SlideData {
  const { name, src, size, alt } = picture
  return { src: addressOf(picture), msrc: src ?? client.image.thumb.url({ image_filename: name }), alt, ...size }
}

/** Asks the picture itself where nobody has said how large it is. */
async function measure(slide: SlideData): Promise<void> {
  if (slide.width) return
  const image = new Image()
  image.src = slide.src ?? ''
  await image.decode().catch(() => undefined)
  const size: ImageSizeData = image.naturalWidth > 0 ? { width: image.naturalWidth, height: image.naturalHeight } : unknownSize
  Object.assign(slide, size)
}

/** The way back of a phone closes the pictures, not the page below. What it returns takes its entry out of the history again. */
function leaveByBack(close: () => void): () => Promise<void> {
  history.pushState(history.state, '')
  let isThere = true
  const onBack = () => {
    isThere = false
    close()
  }
  addEventListener('popstate', onBack, { once: true })
  return async () => {
    removeEventListener('popstate', onBack)
    if (!isThere) return
    isThere = false
    const isBack = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }))
    history.back()
    await isBack
  }
}

/** What is said about a picture, and what can be done with it. */
function addControls(viewer: PhotoSwipe, shown: () => ShownPicture): void {
  viewer.ui?.registerElement({
    name: 'caption',
    appendTo: 'root',
    onInit: (element) => {
      element.setAttribute('aria-live', 'polite')
      const show = () => {
        const { by = '', text = '', description = '' } = shown()
        const [words, who] = [document.createElement('p'), document.createElement('b')]
        who.textContent = by
        words.append(...(by ? [who] : []), text)
        const seen = document.createElement('p')
        seen.textContent = description
        element.replaceChildren(words, ...(description ? [seen] : []))
        element.hidden = by === '' && text === '' && description === ''
      }
      viewer.on('change', show)
      show()
    },
  })
  viewer.ui?.registerElement({
    name: 'save',
    order: 8,
    isButton: true,
    tagName: 'a',
    title: t('viewer.save'),
    html: icon('pswp__icn-save', '<path d="M20.5 14.3 17.1 18V10h-2.2v7.9l-3.4-3.6L10 16l6 6.1 6-6.1ZM23 23H9v2h14Z"/>'),
    onInit: (element) => {
      const link = element as HTMLAnchorElement
      const point = () => {
        link.href = addressOf(shown())
        link.download = shown().name
      }
      viewer.on('change', point)
      point()
    },
  })
  if (!canShareFiles()) return
  viewer.ui?.registerElement({
    name: 'share',
    order: 7,
    isButton: true,
    title: t('share'),
    html: icon(
      'pswp__icn-share',
      '<path d="M21 19a3 3 0 0 0-2.1.9l-5.9-3.4a3 3 0 0 0 0-1.2l5.8-3.3A3 3 0 1 0 18 10l.1.6-5.9 3.4a3 3 0 1 0 0 4l5.9 3.4a3 3 0 1 0 2.9-2.4Z"/>',
    ),
    onClick: () => void attempt(() => share(shown())),
  })
}

const icon = (id: string, inner: string) => ({ isCustomSVG: true, inner: inner.replace('/>', ` id="${id}"/>`), outlineID: id })

const canShareFiles = () => navigator.canShare?.({ files: [new File([], 'a.jpg', { type: 'image/jpeg' })] }) ?? false

async function share(picture: ShownPicture): Promise<void> {
  const answer = await fetch(addressOf(picture))
  const file = new File([await answer.blob()], picture.name, { type: answer.headers.get('Content-Type') ?? 'image/jpeg' })
  // Whoever closes the sheet of the phone has changed their mind.
  await navigator.share({ files: [file] }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error
  })
}
