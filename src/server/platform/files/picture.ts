import { AppError } from '../errors.ts'

const PNG = Buffer.from('89504e470d0a1a0a', 'hex')
const JPEG = Buffer.from('ffd8ff', 'hex')

/**
 * Recognises the format by the first bytes.
 * @throws `unsupported`
 */
export function requirePngOrJpeg(bytes: Buffer, subject: string): void {
  if ([PNG, JPEG].some((magic) => bytes.subarray(0, magic.length).equals(magic))) return
  throw new AppError('unsupported', `${subject} must be a PNG or JPEG picture.`)
}

/** Re-encodes the picture, within `box`. */
export type RedrawPicture = (
  task: { sourcePath: string; outputPath: string; box: { width: number; height: number } },
  options: { memberId: number; signal: AbortSignal },
) => Promise<void>
