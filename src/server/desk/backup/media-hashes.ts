import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { eachOf, listNames, type StoredFiles } from '../site-check/stored-files.ts'
import { type ListedFile, readManifest } from './backup-manifest.ts'
import { hashPlainFile } from './hash-file.ts'

/** Hashes hold for shared hard links. */
type EarlierBackup = { media: string; hashes: Map<string, string> }

/**
 * Reuses hashes of hard links shared with an earlier backup, as media never change.
 * @param input.folder media of the backup
 */
export async function hashMedia(
  stored: StoredFiles,
  input: { folder: string; earlier: EarlierBackup | undefined },
): Promise<ListedFile[]> {
  const { folder, earlier } = input
  const files: ListedFile[] = []
  await eachOf(stored, async ([path, bytes]) => {
    const file = join(folder, path)
    const known = earlier && (await findKnownHash(earlier, { path, file }))
    const sha256 = known ?? (await hashPlainFile(file))
    if (sha256 !== undefined) files.push({ path, bytes, sha256 })
  })
  return files.sort((a, b) => (a.path < b.path ? -1 : 1))
}

async function findKnownHash(
  { media, hashes }: EarlierBackup,
  { path, file }: { path: string; file: string },
): Promise<string | undefined> {
  const hash = hashes.get(path)
  if (!hash) return undefined
  const [before, now] = await Promise.all(
    [join(media, path), file].map((one) => stat(one).catch(() => undefined)),
  )
  // Without inode numbers all are 0.
  return before && now && now.ino !== 0 && before.ino === now.ino && before.dev === now.dev
    ? hash
    : undefined
}

/** The newest complete one beside `folder`. */
export async function readEarlier(folder: string): Promise<EarlierBackup | undefined> {
  const around = dirname(folder)
  const names = await listNames(around).catch(() => [])
  const found: { path: string; createdAt: string; files: ListedFile[] }[] = []
  for (const name of names.filter((one) => one !== basename(folder))) {
    const path = join(around, name)
    const manifest = await readManifest(path).catch(() => undefined)
    if (manifest) found.push({ path, ...manifest })
  }
  const [newest] = found.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
  if (!newest) return undefined
  const hashes = newest.files.flatMap(({ path, sha256 }) =>
    sha256 ? [[path, sha256] as const] : [],
  )
  return { media: join(newest.path, 'media'), hashes: new Map(hashes) }
}
