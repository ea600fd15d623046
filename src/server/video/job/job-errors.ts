import { MediaFailedError, MediaInterruptedError } from '../processing/media-errors.ts'

/** Returned before its end; the job is not at fault. */
export class HandedBackError extends MediaInterruptedError {
  constructor(message = 'The machine that worked on this gave it back.') {
    super(message)
    this.name = 'HandedBackError'
  }
}

/** Another machine may have space. */
export class NoRoomThereError extends HandedBackError {
  constructor(message: string) {
    super(message)
    this.name = 'NoRoomThereError'
  }
}

/** `diagnostics` is for the log. */
export class RefusedResultError extends MediaFailedError {
  constructor(reason: string) {
    super('The work on this video came to nothing on another machine.', reason)
    this.name = 'RefusedResultError'
  }
}

export class SilentWorkerError extends MediaInterruptedError {
  constructor() {
    super('The worker stopped responding.')
    this.name = 'SilentWorkerError'
  }
}
