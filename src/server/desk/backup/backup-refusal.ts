import { CommandError } from '#server/platform/errors.ts'

export class BackupRefusedError extends CommandError {
  constructor(message: string) {
    super(message)
    this.name = 'BackupRefusedError'
  }
}
