import { join } from 'node:path'
import { AppError, CommandError } from '#server/platform/errors.ts'
import { listEntries, type OnUnreadable } from './unreadable-file.ts'

const FILES_MAX = 200_000

/** Paths of files, relative to a folder, by their names in lower case. */
export type FilesByName = ReadonlyMap<string, readonly string[]>

/**
 * Lists the files of a folder and of those in it. Follows no links.
 * @param onUnreadable is called with folders below it that cannot be read
 * @throws CommandError for more than 200,000 files and folders
 */
export async function listFilesByName(
  root: string,
  onUnreadable: OnUnreadable,
): Promise<FilesByName> {
  const files = new Map<string, string[]>()
  const waiting = ['']
  let count = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await listEntries(root, folder, onUnreadable)) {
      const path = join(folder, entry.name)
      if (++count > FILES_MAX) {
        throw new CommandError(`${root} has more than ${FILES_MAX.toLocaleString('en')} files.`)
      }
      const key = entry.name.toLowerCase()
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) files.set(key, [...(files.get(key) ?? []), path])
    }
  }
  return files
}

/**
 * Finds the file of another computer's path, which ends in the same folders and name. Ignores case, as Windows does.
 * @param path with `\` or `/`
 * @throws `not-found`, and `conflict` if two files fit as well
 */
export function findByTail(files: FilesByName, path: string): string {
  const wanted = partsOf(path)
  const found = (files.get(wanted[0] ?? '') ?? [])
    .map((candidate) => ({ candidate, equal: countEqual(wanted, partsOf(candidate)) }))
    .sort((one, other) => other.equal - one.equal)
  const [best, next] = found
  if (!best) throw new AppError('not-found', 'The file is missing.')
  if (next?.equal === best.equal) {
    throw new AppError('conflict', 'Several files in different folders have its name.')
  }
  return best.candidate
}

/** Innermost first. */
const partsOf = (path: string) => path.toLowerCase().split(/[\\/]/).toReversed()

function countEqual(wanted: readonly string[], parts: readonly string[]): number {
  const differs = parts.findIndex((part, index) => part !== wanted[index])
  return differs === -1 ? parts.length : differs
}
