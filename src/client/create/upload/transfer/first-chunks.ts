import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'

/** Larger ones may be of any size, but then nothing plays early. */
const INDEX_BYTES_MAX = 32 * 1024 * 1024
const BOXES_MAX = 50
const FRAGMENT_TYPES = ['moof', 'sidx', 'styp']
const EBML = 0x1a_45_df_a3

/**
 * Which chunks are sent first, so that the recording can be watched while the rest arrives: those
 * of an index that lies at the end of the file.
 */
export async function listFirstChunks(file: Blob): Promise<number[]> {
  const last = Math.ceil(file.size / UPLOAD_CHUNK_BYTES) - 1
  const found = await findIndex(file).catch(() => undefined)
  if (!found) return []
  const first = Math.floor(found.start / UPLOAD_CHUNK_BYTES)
  const until = Math.min(last, Math.floor((found.end - 1) / UPLOAD_CHUNK_BYTES))
  return Array.from({ length: until - first + 1 }, (_, index) => first + index)
}

type Place = { start: number; end: number }

async function findIndex(file: Blob): Promise<Place | undefined> {
  const head = await readBytes(file, 0)
  const tail = { start: file.size - 1, end: file.size }
  // Recorders write the cues of Matroska at the end.
  if (head.getUint32(0) === EBML) return tail
  let at = 0
  for (let boxes = 0; boxes < BOXES_MAX && at + 16 <= file.size; boxes++) {
    const { type, size } = await readBox(file, at)
    const end = size === 0 ? file.size : at + size
    if (type === 'moov') {
      if (at > 0 && boxes > 1 && end - at <= INDEX_BYTES_MAX) return { start: at, end }
      const isFragmented =
        end + 16 <= file.size && FRAGMENT_TYPES.includes((await readBox(file, end)).type)
      return isFragmented ? tail : undefined
    }
    if (end <= at) return undefined
    at = end
  }
  return undefined
}

async function readBox(file: Blob, at: number): Promise<{ type: string; size: number }> {
  const bytes = await readBytes(file, at)
  const type = String.fromCharCode(...[4, 5, 6, 7].map((place) => bytes.getUint8(place)))
  const size = bytes.getUint32(0)
  return { type, size: size === 1 ? Number(bytes.getBigUint64(8)) : size }
}

async function readBytes(file: Blob, at: number): Promise<DataView> {
  return new DataView(await file.slice(at, at + 16).arrayBuffer())
}
