import { delimiter, resolve } from 'node:path'
import { z } from 'zod'
import { isInFolder } from './path-in-folder.ts'

export const inboxVariables = {
  INBOX: z
    .string()
    .transform((value) =>
      value
        .split(delimiter)
        .map((folder) => folder.trim())
        .filter(Boolean)
        .map((folder) => resolve(folder)),
    )
    .default([]),
  INBOX_SECONDS: z
    .string()
    .regex(/^\d{1,4}$/, 'must be a number of seconds from 1 to 3600')
    .transform(Number)
    .refine((value) => value >= 1 && value <= 3600, {
      error: 'must be a number of seconds from 1 to 3600',
    })
    .default(10),
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
  if (folders.some((folder) => isInFolder(folder, DATA_DIR) || isInFolder(DATA_DIR, folder))) {
    return 'INBOX must not contain DATA_DIR, nor a folder in it.'
  }
  const isNested = (folder: string) =>
    folders.some((one) => one !== folder && isInFolder(folder, one))
  if (folders.some(isNested)) return 'A folder of INBOX must not be in another one.'
  return { folders, everySeconds: INBOX_SECONDS }
}
