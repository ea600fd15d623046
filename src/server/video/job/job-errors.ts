import { MediaFailedError, MediaInterruptedError } from '../processing/media-errors.ts'

/** A machine gave a job back that it could have gone on with: nothing is wrong with the job. */
export class HandedBackError extends MediaInterruptedError {
  constructor(message = 'The machine that worked on this gave it back.') {
    super(message)
    this.name = 'HandedBackError'
  }
}

/** A machine has no room for a job's files, as its sentence says: others may have. */
export class NoRoomThereError extends HandedBackError {
  constructor(message: string) {
    super(message)
    this.name = 'NoRoomThereError'
  }
}

/** What a machine handed in is not what was asked for; `diagnostics` says why. */
export class RefusedResultError extends MediaFailedError {
  constructor(reason: string) {
    super('The work on this video came to nothing on another machine.', reason)
    this.name = 'RefusedResultError'
  }
}

/** Nothing was heard of the machine that had a job for as long as its lease. */
export class SilentWorkerError extends MediaInterruptedError {
  constructor() {
    super('The machine that worked on this was not heard of any more.')
    this.name = 'SilentWorkerError'
  }
}
