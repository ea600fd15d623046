/** A `Blob` of the browser or an open file of the server. */
export type ReadableFile = {
  size: number
  slice: (from: number, until: number) => { arrayBuffer: () => Promise<ArrayBuffer> }
}

export type Box = { type: string; from: number; until: number }

/** Children of an MP4 or MOV box, of one type or all. Reads heads only; stops at a damaged box. */
export async function* boxesIn(
  file: ReadableFile,
  parent: Box,
  type?: string,
): AsyncGenerator<Box> {
  for (let at = parent.from; at + 8 <= parent.until; ) {
    const head = await readBytes(file, at, at + 16)
    if (head.byteLength < 8) return
    const isLong = head.getUint32(0) === 1 && head.byteLength === 16
    const stated = isLong ? Number(head.getBigUint64(8)) : head.getUint32(0)
    const until = stated === 0 ? parent.until : at + stated
    const from = at + (isLong ? 16 : 8)
    if (until < from || until > parent.until) return
    const name = String.fromCharCode(...new Uint8Array(head.buffer, 4, 4))
    if (type === undefined || name === type) yield { type: name, from, until }
    at = until
  }
}

export async function listBoxes(file: ReadableFile, parent: Box, type: string): Promise<Box[]> {
  const found: Box[] = []
  for await (const box of boxesIn(file, parent, type)) found.push(box)
  return found
}

/** Stops there, because fragmented files have thousands. */
export async function findBox(
  file: ReadableFile,
  parent: Box,
  type: string,
): Promise<Box | undefined> {
  for await (const box of boxesIn(file, parent, type)) return box
  return undefined
}

/** Parent of the top-level boxes. */
export const wholeFile = (file: ReadableFile): Box => ({ type: '', from: 0, until: file.size })

/** Zero-terminated. */
export function decodeText(bytes: AllowSharedBufferSource): string {
  return (new TextDecoder().decode(bytes).split('\0')[0] ?? '').trim()
}

export async function readBytes(
  file: ReadableFile,
  from: number,
  until: number,
): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(from, until).arrayBuffer())
}
