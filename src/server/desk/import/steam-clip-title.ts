const TITLE_FIELD = 7
const VARINT = 0
const FIXED_64 = 1
const BYTES = 2
const FIXED_32 = 5

/**
 * Reads the title from `clip.pb`, a message of Protocol Buffers. Valve has not published its fields; other programs have
 * found this one.
 * @returns an empty string if there is none or the message is damaged
 */
export function readSteamTitle(message: Buffer | undefined): string {
  if (!message) return ''
  let at = 0
  const readNumber = () => {
    let value = 0
    for (let shift = 0; shift < 49; shift += 7) {
      const byte = message[at++] ?? 0
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    at += message.length
    return 0
  }
  while (at < message.length) {
    const tag = readNumber()
    const type = tag % 8
    if (type === VARINT) readNumber()
    else if (type === FIXED_64) at += 8
    else if (type === FIXED_32) at += 4
    else if (type === BYTES) {
      const length = readNumber()
      const bytes = message.subarray(at, at + length)
      if (Math.floor(tag / 8) === TITLE_FIELD && bytes.length === length)
        return bytes.toString('utf8')
      at += length
    } else return ''
  }
  return ''
}
