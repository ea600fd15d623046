import type { ByteRange } from '#server/platform/files/byte-range.ts'

/** A file of the archive, or bytes around the files. */
export type Piece<Entry> = { bytes: number } & ({ entry: Entry } | { make: () => Buffer })

export function piecesBytes(pieces: Iterable<Piece<unknown>>): number {
  let sum = 0
  for (const { bytes } of pieces) sum += bytes
  return sum
}

/**
 * Reads a range of the archive and opens only the files in that range.
 * @param input.open receives the range within the file, which is never empty
 * @throws RangeError for a file whose length has changed
 */
export async function* readPieces<Entry extends { name: string }>(
  pieces: Iterable<Piece<Entry>>,
  input: {
    range: ByteRange
    open: (entry: Entry, range: ByteRange) => Promise<AsyncIterable<Buffer>>
  },
): AsyncGenerator<Buffer> {
  const { range, open } = input
  /** Offset of the piece in the archive. */
  let at = 0
  for (const piece of pieces) {
    if (at > range.end) return
    const { bytes } = piece
    const part = { start: Math.max(range.start - at, 0), end: Math.min(range.end - at, bytes - 1) }
    at += bytes
    if (part.start > part.end) continue
    if ('make' in piece) {
      yield piece.make().subarray(part.start, part.end + 1)
      continue
    }
    let left = part.end - part.start + 1
    for await (const chunk of await open(piece.entry, part)) {
      left -= chunk.length
      if (left < 0) break
      yield chunk
    }
    if (left !== 0) throw new RangeError(`${piece.entry.name} changed while it was read.`)
  }
}
