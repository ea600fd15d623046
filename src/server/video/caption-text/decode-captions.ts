import { isUtf8 } from 'node:buffer'
import { AppError } from '#server/platform/errors.ts'

const LINE_FEED = 0x0a

/** @throws `unprocessable` naming the first invalid line */
export function decodeCaptions(bytes: Buffer): string {
  const utf16 = detectUtf16(bytes)
  if (!utf16) return decodeUtf8(bytes)
  try {
    return new TextDecoder(utf16, { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('unprocessable', 'The file is damaged: it is not whole UTF-16 text.')
  }
}

function detectUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  // 'WEBVTT' and cue numbers are ASCII.
  if (first === 0 && second !== undefined && second !== 0) return 'utf-16be'
  if (second === 0 && first !== undefined && first !== 0) return 'utf-16le'
}

function decodeUtf8(bytes: Buffer): string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return decoder.decode(bytes)
  } catch {
    throw new AppError(
      'unprocessable',
      `Line ${findBadLine(bytes)} is not UTF-8 text. Save the file as UTF-8 and try again.`,
    )
  }
}

function findBadLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; start <= bytes.length; line += 1) {
    const found = bytes.indexOf(LINE_FEED, start)
    const end = found < 0 ? bytes.length : found
    if (!isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
  return 1
}
