import type { FileHandle } from 'node:fs/promises'

/** Near Node's longest string: three million files. */
export const TEXT_MAX_BYTES = 500_000_000
/** Bounds the memory of parsing. */
const MARKS_MAX = 20_000_000
const MARKS_IN_MEMORY_MAX = 5_000_000
const READ_BYTES = 1024 * 1024
const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

/**
 * Untrusted JSON.
 * @returns undefined when too large
 */
export async function readBounded(source: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const pieces: Uint8Array[] = []
  const countMarks = createMarkCount()
  let bytes = 0
  for await (const piece of source) {
    bytes += piece.length
    if (bytes > TEXT_MAX_BYTES || countMarks(piece) > MARKS_MAX) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Closes the file. */
export async function readBoundedFile(file: FileHandle): Promise<string | undefined> {
  const { size } = await file.stat()
  if (size <= TEXT_MAX_BYTES)
    return readBounded(file.createReadStream({ highWaterMark: READ_BYTES }))
  await file.close()
  return undefined
}

/**
 * Parses untrusted JSON that is in memory already.
 * @returns undefined if it is invalid, or would need much more memory than it has bytes
 */
export function parseBounded(bytes: Buffer): unknown {
  const isBounded = createMarkCount()(bytes) <= MARKS_IN_MEMORY_MAX
  return isBounded ? parseJson(bytes.toString('utf8')) : undefined
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Ignores strings; keeps state between pieces. */
function createMarkCount() {
  let [marks, isText, isEscaped] = [0, false, false]
  return (piece: Uint8Array): number => {
    for (const byte of piece) {
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) isText = false
      } else if (byte === QUOTE) isText = true
      else if (byte === COMMA || byte === BRACKET || byte === BRACE) marks++
    }
    return marks
  }
}
