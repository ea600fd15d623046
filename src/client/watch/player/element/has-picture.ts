import { whenIdle } from '#client/platform/when-idle.ts'

/** At most. */
const WAIT_MS = 4000

/** Resolves with the first picture, or when there will be none soon. */
function hasPicture(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    if (video.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) resolve()
    video.addEventListener('loadeddata', () => resolve(), { once: true })
    setTimeout(resolve, WAIT_MS)
  })
}

/** Resolves when the browser is idle after the first picture, or after `WAIT_MS` without one. */
export const afterFirstPicture = (video: HTMLVideoElement): Promise<void> =>
  hasPicture(video).then(whenIdle)
