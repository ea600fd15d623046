export type FileHead = {
  bytes: Uint8Array
  /** One character per byte. */
  text: string
}

const PIECE = 8192

export function readHead(bytes: Uint8Array): FileHead {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) {
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  }
  return { bytes, text }
}

/** Completes 'This is …'. */
export const kindNamed = (what: string, format: string) => `${what} (${format})`
export const sound = (format: string) => kindNamed('a sound file', format)
export const picture = (format: string) => kindNamed('a picture', format)
export const animation = (format: string) => kindNamed('an animated picture', format)
