import { BEGIN_SCRIPT_ID } from '#shared/first-paint.ts'

/** Slower pictures than these do not hold the app up. */
const PATIENCE_MS = 1500

/**
 * Runs the app once the first pictures of the page that the server has drawn are on the screen: its scripts, which
 * are being fetched meanwhile, would keep the browser from painting them.
 */
async function beginApp(): Promise<void> {
  const address = document.getElementById(BEGIN_SCRIPT_ID)?.dataset.app
  if (!address) return
  await Promise.race([picturesShown(), pause(PATIENCE_MS)])
  await import(/* @vite-ignore */ address)
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
