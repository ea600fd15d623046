import { AppError } from '#server/platform/errors.ts'

/** A retry cannot help. */
export class UnplayableSourceError extends AppError {
  constructor(message: string) {
    super('unprocessable', message)
    this.name = 'UnplayableSourceError'
  }
}

/** Stopped from outside; a retry may succeed. */
export class MediaInterruptedError extends Error {
  constructor(message = 'The work on this file was interrupted.') {
    super(message)
    this.name = 'MediaInterruptedError'
  }
}

/** `message` is for the owner, `diagnostics` for the log. */
export class MediaFailedError extends Error {
  readonly diagnostics: string

  constructor(message: string, diagnostics = '') {
    super(message)
    this.name = 'MediaFailedError'
    this.diagnostics = diagnostics
  }
}

export class OutOfMemoryError extends MediaFailedError {
  constructor(diagnostics = '') {
    super('This file needs too much memory to work on.', diagnostics)
    this.name = 'OutOfMemoryError'
  }
}

/** Mostly lack of memory; a retry may succeed. */
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

/** A picture, a sound file with a cover, or what is left of a video. */
export function onlyOnePicture({ hasSound }: { hasSound: boolean }): UnplayableSourceError {
  const sentence = hasSound
    ? 'This file has sound, but only one picture: it is not a video.'
    : 'This file is a picture, not a video.'
  return new UnplayableSourceError(sentence)
}
