import { CommandError } from '#server/platform/errors.ts'
import type { Offsite } from '#server/platform/offsite-config.ts'
import { openFolderPlace } from './folder-place.ts'

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

export async function openPlace({ place }: Offsite): Promise<BackupPlace> {
  if ('folder' in place) return openFolderPlace(place.folder)
  // Only sites that use such a place load its client.
  const { openS3Place } = await import('./s3-place.ts')
  return openS3Place(place.s3)
}

export function objectIsMissing(name: string): CommandError {
  return new CommandError(`The backup target lacks ${name}.`)
}
