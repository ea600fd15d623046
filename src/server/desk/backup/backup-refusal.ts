import { CommandError } from '#server/platform/errors.ts'

/** A refused backup leaves nothing in the data folder. */
export class BackupRefusedError extends CommandError {
  constructor(message: string) {
    super(message)
    this.name = 'BackupRefusedError'
  }
}
