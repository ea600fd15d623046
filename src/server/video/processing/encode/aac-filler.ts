/** The element of an AAC frame that means nothing and is there to fill (ISO/IEC 14496-3, `fill_element`). */
const fillElement = 6
const plainFill = 0

/** A count of this or more goes on in a byte of its own. */
const longCount = 15

/**
 * Blanks what a frame of AAC begins with when that is filling: encoders write their names there.
 * No length changes. @returns whether there was anything to blank
 */
export function eraseFiller(frame: Buffer): boolean {
  const first = frame[0]
  const second = frame[1]
  if (first === undefined || second === undefined || first >> 5 !== fillElement) return false
  const short = (first >> 1) & 15
  const isLong = short === longCount
  // The long count begins at the eighth bit of the first byte.
  const long = ((first & 1) << 7) | (second >> 1)
  const bytes = isLong ? short + long - 1 : short
  const kindAt = isLong ? 15 : 7
  const end = Math.min(kindAt + bytes * 8, frame.length * 8)
  if (bytes === 0 || readBits(frame, kindAt, 4) !== plainFill) return false
  let isChanged = false
  for (let at = kindAt + 4; at < end; at += 1) {
    const mask = 0x80 >> (at & 7)
    const byte = frame[at >> 3] ?? 0
    if ((byte & mask) === 0) continue
    frame[at >> 3] = byte & ~mask
    isChanged = true
  }
  return isChanged
}

function readBits(bytes: Buffer, from: number, count: number): number {
  let value = 0
  for (let at = from; at < from + count; at += 1) {
    value = (value << 1) | (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
  }
  return value
}
