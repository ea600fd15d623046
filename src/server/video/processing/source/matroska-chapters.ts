import type { FileHandle } from 'node:fs/promises'
import type { SourceChapter } from './source-chapter.ts'

const ids = {
  head: 0x1a45dfa3,
  segment: 0x18538067,
  cluster: 0x1f43b675,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  chapters: 0x1043a770,
  edition: 0x45b9,
  atom: 0xb6,
  start: 0x91,
  isHidden: 0x98,
  display: 0x80,
  title: 0x85,
}

const headBytes = 12
const mostBytes = 1024 * 1024
const mostElements = 32

type Element = { id: number; start: number; bytes: number }

/**
 * Before the pictures and where the index points.
 * @throws RangeError for a malformed element
 */
export async function readMatroskaChapters(file: FileHandle): Promise<SourceChapter[]> {
  const { size } = await file.stat()
  const elementAt = async (at: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, at)
    const element = readHead(buffer.subarray(0, bytesRead))
    return element && { ...element, start: at + element.start }
  }
  const bodyOf = async ({ start, bytes }: Element) => {
    if (bytes > mostBytes || start + bytes > size) return Buffer.alloc(0)
    return (await file.read(Buffer.alloc(bytes), 0, bytes, start)).buffer
  }
  const head = await elementAt(0)
  const segment = head && (await elementAt(head.start + head.bytes))
  if (segment?.id !== ids.segment) return []
  let at = segment.start
  for (let number = 0; number < mostElements; number += 1) {
    const element = await elementAt(at)
    if (!element || element.id === ids.cluster) break
    if (element.id === ids.chapters) return readEditions(await bodyOf(element))
    if (element.id === ids.seekHead) {
      const position = findChapters(await bodyOf(element))
      const chapters = position === null ? undefined : await elementAt(segment.start + position)
      if (chapters?.id === ids.chapters) return readEditions(await bodyOf(chapters))
    }
    at = element.start + element.bytes
  }
  return []
}

function readHead(buffer: Buffer): Element | undefined {
  const idBytes = lengthOf(buffer[0] ?? 0)
  const sizeBytes = lengthOf(buffer[idBytes] ?? 0)
  if (idBytes > 4 || sizeBytes > 8 || idBytes + sizeBytes > buffer.length) return undefined
  const id = buffer.readUIntBE(0, idBytes)
  const marker = 1 << (8 - sizeBytes)
  let bytes = (buffer[idBytes] ?? 0) & (marker - 1)
  for (const value of buffer.subarray(idBytes + 1, idBytes + sizeBytes)) bytes = bytes * 256 + value
  return { id, start: idBytes + sizeBytes, bytes }
}

/** The first set bit gives the length. */
function lengthOf(first: number): number {
  return first === 0 ? 9 : Math.clz32(first) - 23
}

function childrenOf(body: Buffer): { id: number; body: Buffer }[] {
  const children: { id: number; body: Buffer }[] = []
  for (let at = 0; at < body.length; ) {
    const element = readHead(body.subarray(at, at + headBytes))
    if (!element) break
    const [start, end] = [at + element.start, at + element.start + element.bytes]
    if (end > body.length) break
    children.push({ id: element.id, body: body.subarray(start, end) })
    at = end
  }
  return children
}

function bodyIn(body: Buffer, id: number): Buffer | undefined {
  return childrenOf(body).find((child) => child.id === id)?.body
}

function numberIn(body: Buffer | undefined): number {
  let number = 0
  for (const value of (body ?? Buffer.alloc(0)).subarray(0, 8)) number = number * 256 + value
  return number
}

function findChapters(seekHead: Buffer): number | null {
  for (const { id, body } of childrenOf(seekHead)) {
    if (id !== ids.seek || numberIn(bodyIn(body, ids.seekId)) !== ids.chapters) continue
    return numberIn(bodyIn(body, ids.seekPosition))
  }
  return null
}

/** First edition; nanoseconds. */
function readEditions(body: Buffer): SourceChapter[] {
  const edition = bodyIn(body, ids.edition) ?? Buffer.alloc(0)
  return childrenOf(edition)
    .filter(({ id, body }) => id === ids.atom && numberIn(bodyIn(body, ids.isHidden)) === 0)
    .map(({ body }) => {
      const display = bodyIn(body, ids.display)
      const title = display && bodyIn(display, ids.title)
      return {
        seconds: numberIn(bodyIn(body, ids.start)) / 1e9,
        title: title?.toString('utf8') ?? null,
      }
    })
}
