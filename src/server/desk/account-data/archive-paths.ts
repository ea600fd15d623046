import { extname } from 'node:path'
import type { DataExportFormat } from '#shared/schemas/settings.schemas.ts'

/** The folder that contains everything in the archive, with a slash, or '' without one. */
export const ARCHIVE_FOLDERS: Record<DataExportFormat, string> = {
  clutch: 'clutch-data/',
  peertube: '',
}

const WORDS_MAX = 60
const SAFE_ENDING = /^\.[a-z0-9]{1,5}$/

/** Returns a path such as `videos/12-the-last-shot`. Only ASCII names are portable in tar archives. */
export function folderOf(kind: 'videos' | 'clips', { id, title }: { id: number; title: string }) {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, WORDS_MAX)
    .replaceAll(/^-+|-+$/g, '')
  return words ? `${kind}/${id}-${words}` : `${kind}/${id}`
}

/** Returns the extension of a file name that a member chose, or '' if it is not a plain one. */
export function endingOf(name: string): string {
  const ending = extname(name).toLowerCase()
  return SAFE_ENDING.test(ending) ? ending : ''
}
