import { BEGIN_SCRIPT_ID, SERVED_ATTRIBUTE } from '#shared/first-paint.ts'

/** Slower pictures than these do not hold the app up. */
const PATIENCE_MS = 1500

/**
 * Fetches and runs the app once the first pictures of the page that the server has drawn are on the screen: it would
 * keep the browser from painting them.
 */
async function beginApp(): Promise<void> {
  const {
    app,
    question = '',
    imports = '',
  } = document.getElementById(BEGIN_SCRIPT_ID)?.dataset ?? {}
  if (!app) return
  const replay = rememberPress()
  await Promise.race([picturesShown(), pause(PATIENCE_MS)])
  const preloads = imports.split(' ').map((href) => ({ rel: 'modulepreload', href }))
  document.head.append(
    ...[{ rel: 'preload', as: 'fetch', href: question }, ...preloads].map(linkOf),
  )
  await import(/* @vite-ignore */ app)
  await appShown()
  replay()
}

const linkOf = (attributes: Partial<HTMLLinkElement>) =>
  Object.assign(document.createElement('link'), { crossOrigin: '', ...attributes })

/** What is pressed before the app is there is pressed again, once it is. Links work by themselves. */
function rememberPress(): () => void {
  let press: (() => void) | undefined
  const remember = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button[type="button"]') : null
    if (!button) return
    const name = nameOf(button)
    const index = buttonsNamed(name).indexOf(button)
    press = () => (buttonsNamed(name)[index] as HTMLElement | undefined)?.click()
  }
  document.addEventListener('click', remember, true)
  return () => {
    document.removeEventListener('click', remember, true)
    press?.()
  }
}

const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent
const buttonsNamed = (name: string | null) =>
  [...document.querySelectorAll('button')].filter((button) => nameOf(button) === name) as Element[]

/** The app takes the mark off its root with its first picture. */
function appShown(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.querySelector(`[${SERVED_ATTRIBUTE}]`)) return
      observer.disconnect()
      resolve()
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, {
      attributes: true,
      subtree: true,
      attributeFilter: [SERVED_ATTRIBUTE],
    })
    look()
  })
}

async function picturesShown(): Promise<void> {
  const pictures = document.querySelectorAll<HTMLImageElement>('img[loading="eager"]')
  await Promise.allSettled([...pictures].map((picture) => picture.decode()))
  // The first frame has them in it, the second comes after it has been shown.
  await nextFrame()
  await nextFrame()
}

const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

void beginApp()
