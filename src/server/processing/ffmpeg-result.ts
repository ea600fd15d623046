import { AVERROR_ENOSPC } from 'node-av/constants'
import { FFmpegError } from 'node-av/lib'
import { AppError } from '../errors.ts'

/** Throws when FFmpeg answered an error; `action` is for the log. */
export function requireSuccess(code: number, action: string): void {
  if (code < 0) throw new Error(`${action}: ${FFmpegError.strerror(code)} (${code})`)
}

/** As `requireSuccess`, for a call that writes a file. @throws AppError `no-space` when the disk is full */
export function requireWritten(code: number, action: string): void {
  if (code === AVERROR_ENOSPC) throw new AppError('no-space', 'The disk is full.')
  requireSuccess(code, action)
}
