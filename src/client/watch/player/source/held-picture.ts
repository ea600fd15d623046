import { drawFrame, hasFrame } from '#client/platform/video/draw-frame.ts'

/** Covers the gap until the next source has a picture. */
export function holdPicture(video: HTMLVideoElement, ended: AbortSignal): void {
  if (!hasFrame(video)) return
  const still = drawFrame(video)
  still.ariaHidden = 'true'
  video.after(still)
  const over = new AbortController()
  const drop = () => {
    over.abort()
    still.remove()
  }
  const { signal } = over
  const dropWhenShown = () => {
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(drop)
    else drop()
  }
  video.addEventListener('loadeddata', dropWhenShown, { signal })
  video.addEventListener('error', drop, { signal })
  ended.addEventListener('abort', drop, { signal })
}
