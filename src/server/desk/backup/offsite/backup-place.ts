import { CommandError } from '#server/platform/errors.ts'
import { BackupRefusedError } from '../backup-refusal.ts'

/** A second place for backups: objects by name, each written whole or not at all. Names have forward slashes. */
export type BackupPlace = {
  /** The names below `prefix`, with sizes in bytes. */
  list: (prefix: string) => Promise<Map<string, number>>
  /** Stores a file's bytes under a name, in place of what was there. */
  put: (name: string, path: string) => Promise<void>
  /** Stores a short text. */
  putText: (name: string, text: string) => Promise<void>
  /**
   * Writes an object's bytes to a file.
   * @throws CommandError when there is no such object
   * @throws BackupRefusedError for one of more than `maxBytes`
   */
  fetch: (name: string, input: { path: string; maxBytes: number }) => Promise<void>
  /**
   * A short text; undefined when there is no such object.
   * @throws BackupRefusedError for one that is too large to be read
   */
  readText: (name: string) => Promise<string | undefined>
  remove: (names: string[]) => Promise<void>
}

/** Hands on so many bytes. @throws BackupRefusedError when there are more */
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
