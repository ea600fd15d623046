import { type ContainerFacts, momentOf } from '../recording-name.ts'
import { type ReadableFile, readBytes } from './mp4-boxes.ts'

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const CLUSTER = 0x1f43b675
const TITLE = 0x7ba9
const DATE = 0x4461

/** Only the beginning of the file is read; information after the pictures is not searched for. */
const HEAD_BYTES = 256 * 1024
/** Matroska counts nanoseconds from 2001. */
const EPOCH_MS = Date.UTC(2001, 0)

type Element = { id: number; from: number; until: number }

/** Reads the title and time of a recording from a Matroska or WebM file. */
export async function readMatroskaFacts(file: ReadableFile): Promise<ContainerFacts> {
  const bytes = await readBytes(file, 0, HEAD_BYTES)
  const whole = { id: 0, from: 0, until: bytes.byteLength }
  const segment = [...elementsIn(bytes, whole)].find(({ id }) => id === SEGMENT)
  const info = segment && [...elementsIn(bytes, segment)].find(({ id }) => id === INFO)
  const facts: ContainerFacts = {}
  for (const { id, from, until } of info ? elementsIn(bytes, info) : []) {
    if (id === TITLE) {
      facts.title = new TextDecoder().decode(new Uint8Array(bytes.buffer, from, until - from))
    }
    if (id === DATE && until - from === 8) {
      facts.recordedAt = momentOf(new Date(EPOCH_MS + Number(bytes.getBigInt64(from)) / 1e6))
    }
  }
  return facts
}

/** Ends at the first cluster and at damaged data. An element that is longer than what was read is cut off there. */
function* elementsIn(bytes: DataView<ArrayBuffer>, parent: Element): Generator<Element> {
  for (let at = parent.from; at < parent.until; ) {
    const id = readNumber(bytes, at, true)
    const size = id && readNumber(bytes, at + id.length, false)
    if (!size || id.value === CLUSTER) return
    const from = at + id.length + size.length
    const until = Math.min(from + size.value, parent.until)
    yield { id: id.value, from, until }
    at = until
  }
}

/**
 * Reads a number whose first bits give its length. A size whose bits are all ones is unknown, and read as the largest.
 * @param keepsMark whether the bits of the length belong to the number, as they do in an id
 */
function readNumber(bytes: DataView<ArrayBuffer>, at: number, keepsMark: boolean) {
  if (at >= bytes.byteLength) return undefined
  const first = bytes.getUint8(at)
  const length = Math.clz32(first) - 23
  if (length > 8 || at + length > bytes.byteLength) return undefined
  let value = keepsMark ? first : first & (0xff >> length)
  let isUnknown = value === 0xff >> length
  for (let index = 1; index < length; index += 1) {
    const next = bytes.getUint8(at + index)
    isUnknown &&= next === 0xff
    value = value * 256 + next
  }
  return { length, value: !keepsMark && isUnknown ? Number.MAX_SAFE_INTEGER : value }
}
