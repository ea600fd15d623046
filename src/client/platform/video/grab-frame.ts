import { drawFrame } from './draw-frame.ts'

type Frame = {
  src: string
  /** Seconds. */
  at: (duration: number) => number
  /** Pixels. The default is the width of the video. */
  width?: number
  timeoutMs: number
  /** Needed for files of another origin, which must allow it. */
  crossOrigin?: 'anonymous'
}

/**
 * Draws a frame of a video file that need not be on the page.
 * @throws if the browser cannot play the file, or the time is over
 */
export async function grabFrame(frame: Frame): Promise<HTMLCanvasElement> {
  const video = document.createElement('video')
  const signal = AbortSignal.timeout(frame.timeoutMs)
  const heard = (event: string) =>
    new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error('The browser cannot show this video.'))
      video.addEventListener(event, () => resolve(), { once: true, signal })
      video.addEventListener('error', fail, { once: true, signal })
      signal.addEventListener('abort', fail, { once: true })
    })
  try {
    video.muted = true
    video.preload = 'auto'
    video.crossOrigin = frame.crossOrigin ?? null
    const loaded = heard('loadeddata')
    video.src = frame.src
    await loaded
    const seeked = heard('seeked')
    video.currentTime = frame.at(video.duration)
    await seeked
    return drawFrame(video, frame.width)
  } finally {
    video.removeAttribute('src')
    video.load()
  }
}

/** @throws SecurityError for a picture of another origin */
export async function encodeCanvas(
  canvas: HTMLCanvasElement,
  type: 'image/jpeg' | 'image/png',
  quality?: number,
): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  if (!blob) throw new Error('The browser cannot encode this picture.')
  return blob
}
