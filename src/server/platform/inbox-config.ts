import { realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { isInFolder } from './path-in-folder.ts'

const folders = z
  .string()
  .transform((value) =>
    value
      .split(delimiter)
      .map((folder) => folder.trim())
      .filter(Boolean)
      .map((folder) => resolve(folder)),
  )
  .default([])

export const inboxVariables = {
  INBOX: folders,
  INBOX_SECONDS: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number of seconds from 1 to 3600')
    .transform(Number)
    .refine((value) => value >= 1 && value <= 3600, {
      error: 'must be a number of seconds from 1 to 3600',
    })
    .default(10),
  IMPORT_FOLDERS: folders,
}

type Variables = z.infer<z.ZodObject<typeof inboxVariables>> & { DATA_DIR: string }

export type InboxConfig = {
  folders: readonly string[]
  /** Pause between two rounds. */
  everySeconds: number
}

/** @returns a sentence if the variables are inconsistent */
export function readInbox({ INBOX, INBOX_SECONDS, DATA_DIR }: Variables): InboxConfig | string {
  const folders = [...new Set(INBOX)]
  if (overlaps(folders, DATA_DIR)) return 'INBOX must not contain DATA_DIR, nor a folder in it.'
  const isNested = (folder: string) =>
    folders.some((one) => one !== folder && isInFolder(realPath(folder), realPath(one)))
  if (folders.some(isNested)) return 'A folder of INBOX must not be in another one.'
  return { folders, everySeconds: INBOX_SECONDS }
}

/** @returns the folders from which the desk may import, or a sentence if the variables are inconsistent */
export function readImportFolders({
  IMPORT_FOLDERS,
  DATA_DIR,
}: Variables): readonly string[] | string {
  const folders = [...new Set(IMPORT_FOLDERS)]
  if (!overlaps(folders, DATA_DIR)) return folders
  return 'IMPORT_FOLDERS must not contain DATA_DIR, nor a folder in it.'
}

/** Symbolic links may lead from one to the other. */
function overlaps(folders: readonly string[], other: string): boolean {
  const real = realPath(other)
  return folders.map(realPath).some((one) => isInFolder(one, real) || isInFolder(real, one))
}

/** Also of a path that does not exist yet, or cannot be read: as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), basename(path))
  }
}
