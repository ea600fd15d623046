/** `fill_element` of ISO/IEC 14496-3. */
const fillElement = 6
const plainFill = 0

const longCount = 15

/**
 * Blanks a leading fill element, which may name the encoder; lengths stay.
 * @returns whether there was one
 */
export function eraseFiller(frame: Buffer): boolean {
  const first = frame[0]
  const second = frame[1]
  if (first === undefined || second === undefined || first >> 5 !== fillElement) return false
  const short = (first >> 1) & 15
  const isLong = short === longCount
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
