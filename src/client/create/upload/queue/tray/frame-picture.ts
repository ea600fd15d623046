const WIDTH = 192
const TIMEOUT_MS = 6000
/** The first frame is often black. */
const AT_SECONDS = 1

const pictures = new WeakMap<File, Promise<string | undefined>>()
let last: Promise<unknown> = Promise.resolve()

/** One at a time; undefined for an unsupported format. */
export function framePicture(file: File): Promise<string | undefined> {
  let picture = pictures.get(file)
  if (!picture) {
    picture = last.then(() => grab(file)).catch(() => undefined)
    pictures.set(file, picture)
    last = picture
  }
  return picture
}

async function grab(file: File): Promise<string | undefined> {
  const video = document.createElement('video')
  const address = URL.createObjectURL(file)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const heard = (event: string) =>
    new Promise<void>((resolve, reject) => {
      video.addEventListener(event, () => resolve(), { once: true, signal })
      video.addEventListener('error', reject, { once: true, signal })
      signal.addEventListener('abort', reject, { once: true })
    })
  try {
    video.muted = true
    video.preload = 'auto'
    const loaded = heard('loadeddata')
    video.src = address
    await loaded
    const seeked = heard('seeked')
    video.currentTime = Math.min(AT_SECONDS, video.duration / 2)
    await seeked
    if (video.videoWidth === 0) return undefined
    const canvas = document.createElement('canvas')
    canvas.width = WIDTH
    canvas.height = Math.round((WIDTH * video.videoHeight) / video.videoWidth)
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'))
    return blob ? URL.createObjectURL(blob) : undefined
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(address)
  }
}
