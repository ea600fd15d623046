import { AppError } from '#server/platform/errors.ts'

/** The file itself is at fault: trying again cannot help. */
export class UnplayableSourceError extends AppError {
  constructor(message: string) {
    super('unprocessable', message)
    this.name = 'UnplayableSourceError'
  }
}

/** The work was aborted, or its child was sent to stop as the server is: it may be done again and is not a failure. */
export class MediaInterruptedError extends Error {
  constructor(message = 'The work on this file was interrupted.') {
    super(message)
    this.name = 'MediaInterruptedError'
  }
}

/**
 * The work took too long, needed too much memory or broke down.
 * The message is a sentence for the owner; `diagnostics` is for the log only.
 */
export class MediaFailedError extends Error {
  readonly diagnostics: string

  constructor(message: string, diagnostics = '') {
    super(message)
    this.name = 'MediaFailedError'
    this.diagnostics = diagnostics
  }
}

/** The work needed more memory than it may take. */
export class OutOfMemoryError extends MediaFailedError {
  constructor(diagnostics = '') {
    super('This file needs too much memory to work on.', diagnostics)
    this.name = 'OutOfMemoryError'
  }
}

/** The system killed the work, most often for want of memory. It may go well another time. */
export class MediaKilledError extends MediaFailedError {
  constructor(diagnostics = '') {
    super('The work on this file was ended by the system, perhaps for want of memory.', diagnostics)
    this.name = 'MediaKilledError'
  }
}

export function damagedVideo(): UnplayableSourceError {
  return new UnplayableSourceError('This video is damaged and could not be read.')
}

export function unknownVideo(): UnplayableSourceError {
  return new UnplayableSourceError('This kind of video cannot be read.')
}

export function stillPicture(): UnplayableSourceError {
  return new UnplayableSourceError('This file is a picture, not a video.')
}
