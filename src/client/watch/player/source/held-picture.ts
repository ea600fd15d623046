/** Covers the gap until the next source has a picture. */
export function holdPicture(video: HTMLVideoElement, ended: AbortSignal): void {
  const { videoWidth: width, videoHeight: height, readyState } = video
  if (width === 0 || readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return
  const still = document.createElement('canvas')
  Object.assign(still, { width, height, ariaHidden: 'true' })
  still.getContext('2d')?.drawImage(video, 0, 0, width, height)
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
