import { CommandError } from '#server/platform/errors.ts'
import { BackupRefusedError } from '../backup-refusal.ts'

/** An object is complete or absent. Names have forward slashes. */
export type BackupPlace = {
  /** Bytes by name. */
  list: (prefix: string) => Promise<Map<string, number>>
  /** Replaces an existing object. */
  put: (name: string, path: string) => Promise<void>
  putText: (name: string, text: string) => Promise<void>
  /**
   * @throws CommandError if missing
   * @throws BackupRefusedError above `maxBytes`
   */
  fetch: (name: string, input: { path: string; maxBytes: number }) => Promise<void>
  /**
   * Undefined if missing.
   * @throws BackupRefusedError when too large
   */
  readText: (name: string) => Promise<string | undefined>
  remove: (names: string[]) => Promise<void>
}

/** @throws BackupRefusedError above `maxBytes` */
export function atMost(maxBytes: number, name: string) {
  return async function* (pieces: AsyncIterable<Uint8Array>) {
    let bytes = 0
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > maxBytes)
        throw new BackupRefusedError(`The backup target has more bytes of ${name} than it should.`)
      yield piece
    }
  }
}

export function textIsTooLarge(name: string): BackupRefusedError {
  return new BackupRefusedError(
    `The backup target has a file ${name} that is too large to be read.`,
  )
}

export function objectIsMissing(name: string): CommandError {
  return new CommandError(`The backup target lacks ${name}.`)
}
