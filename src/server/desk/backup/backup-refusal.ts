import { CommandError } from '#server/platform/errors.ts'

/** Why a backup is not put back, as a sentence; nothing of it stays in the data folder. */
export class BackupRefusedError extends CommandError {
  constructor(message: string) {
    super(message)
    this.name = 'BackupRefusedError'
  }
}
