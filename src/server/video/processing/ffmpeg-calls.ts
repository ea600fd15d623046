import { AVERROR_ENOSPC } from 'node-av/constants'
import type { CodecContext } from 'node-av/lib'
import { FFmpegError } from 'node-av/lib'
import { AppError } from '#server/platform/errors.ts'

/** @param action for the log */
export function requireSuccess(code: number, action: string): void {
  if (code < 0) throw new Error(`${action}: ${FFmpegError.strerror(code)} (${code})`)
}

/** @throws `no-space` when the disk is full */
export function requireWritten(code: number, action: string): void {
  if (code === AVERROR_ENOSPC) throw new AppError('no-space', 'The disk is full.')
  requireSuccess(code, action)
}

/** Before opening: node-av 6.1.1 frees a dictionary given to `open2` twice. */
export function setCodecOptions(context: CodecContext, options: Record<string, string>): void {
  for (const [name, value] of Object.entries(options)) {
    requireSuccess(context.setOption(name, value), `set codec option ${name}`)
  }
}
