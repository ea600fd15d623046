import { CommandError } from '#server/platform/errors.ts'

/** A second place for backups: objects by name, each written whole or not at all. Names have forward slashes. */
export type BackupPlace = {
  /** The names below `prefix`, with sizes in bytes. */
  list: (prefix: string) => Promise<Map<string, number>>
  /** Stores a file's bytes under a name, in place of what was there. */
  put: (name: string, path: string) => Promise<void>
  /** Stores a short text. */
  putText: (name: string, text: string) => Promise<void>
  /** Writes an object's bytes to a file. @throws CommandError when there is no such object */
  fetch: (name: string, path: string) => Promise<void>
  /** A short text; undefined when there is no such object. */
  readText: (name: string) => Promise<string | undefined>
  remove: (names: string[]) => Promise<void>
}

export function objectIsMissing(name: string): CommandError {
  return new CommandError(`The backup target lacks ${name}.`)
}
