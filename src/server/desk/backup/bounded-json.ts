import type { FileHandle } from 'node:fs/promises'

/** Node holds no much longer text. A manifest of three million files is as long. */
export const TEXT_MAX_BYTES = 500_000_000
/** What begins or separates values. A manifest of the longest text has fewer, so that parsing needs no more memory than that. */
const MARKS_MAX = 20_000_000
const READ_BYTES = 1024 * 1024
const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b]

/**
 * Reads a JSON text that somebody else wrote.
 * @returns undefined for one that is too large to be read
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

/** The same of an open file, which is closed. */
export async function readBoundedFile(file: FileHandle): Promise<string | undefined> {
  const { size } = await file.stat()
  if (size <= TEXT_MAX_BYTES)
    return readBounded(file.createReadStream({ highWaterMark: READ_BYTES }))
  await file.close()
  return undefined
}

/** What a text says in JSON; undefined for one that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Counts marks outside of strings, over all pieces that it is called with. */
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
