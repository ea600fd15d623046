import { encodeCanvas, grabFrame } from '#client/platform/video/grab-frame.ts'

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

async function grab(file: File): Promise<string> {
  const src = URL.createObjectURL(file)
  try {
    const at = (duration: number) => Math.min(AT_SECONDS, duration / 2)
    const canvas = await grabFrame({ src, at, width: WIDTH, timeoutMs: TIMEOUT_MS })
    return URL.createObjectURL(await encodeCanvas(canvas, 'image/jpeg'))
  } finally {
    URL.revokeObjectURL(src)
  }
}
