import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUPS_FOLDER } from '#server/platform/db/maintain.ts'
import { openDatabaseToRead } from '#server/platform/db/open.ts'
import { exists } from '#server/platform/durable-files.ts'
import { CommandError } from '#server/platform/errors.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { makeFolder } from '#server/platform/files/make-folder.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import type { Offsite } from '#server/platform/offsite-config.ts'
import { formatBytes } from '#shared/text/format.ts'
import { checkSite } from '../site-check/file-check.ts'
import { listNamedFiles } from '../site-check/named-files.ts'
import type { Problem } from '../site-check/problem.ts'
import { listNames } from '../site-check/stored-files.ts'
import { heldBytes, MANIFEST_FILE, readManifest } from './backup-manifest.ts'
import { fetchSnapshot, snapshotBytes } from './offsite/snapshots.ts'
import { restoreBackup } from './restore-backup.ts'

/** Temporary, below `backups/`. */
const DRILL_FOLDER = 'restore-drill'
/** Must stay free on the site's disk. */
const SPARE_BYTES = 1024 ** 3

type RestoreProof = { name: string; videos: number; files: number; bytes: number }

/** A remote store, and its site's data folder. */
type Elsewhere = { media: MediaStore; site: string }

/**
 * Restores the newest backup to a temporary folder and checks rows against files, in the store if
 * media are only listed.
 * @throws CommandError with the reason
 */
export async function proveRestore(input: {
  dataFolder: string
  offsite: Offsite | undefined
  elsewhere?: MediaStore | undefined
}): Promise<RestoreProof> {
  const backups = join(input.dataFolder, BACKUPS_FOLDER)
  const drill = join(backups, DRILL_FOLDER)
  await removeFolder(drill)
  try {
    await makeFolder(drill, 'The folder of the drill')
    const { name, folder } = input.offsite
      ? await fetchNewest(input.offsite, drill)
      : await findNewest(backups)
    const dataFolder = join(drill, 'data')
    const manifest = await readManifest(folder)
    const isListed = manifest.media === 'store' && input.elsewhere
    const elsewhere = isListed ? { media: isListed, site: input.dataFolder } : undefined
    await restoreBackup({ dataFolder, folder, elsewhere: elsewhere?.media })
    const bytes = heldBytes(manifest)
    return { name, bytes, ...(await requireAgreement(dataFolder, elsewhere)) }
  } finally {
    await removeFolder(drill)
  }
}

async function fetchNewest(offsite: Offsite, drill: string) {
  const needed = await snapshotBytes(offsite)
  const { bavail, bsize } = await statfs(drill)
  if (bavail * bsize < needed + SPARE_BYTES) {
    throw new CommandError(
      `There is no room for the drill: it takes ${formatBytes(needed)} for a while.`,
    )
  }
  const folder = join(drill, 'fetched')
  const { name } = await fetchSnapshot(offsite, { folder })
  return { name, folder }
}

async function findNewest(backups: string) {
  for (const name of (await listNames(backups)).sort().reverse()) {
    const folder = join(backups, name)
    if (await exists(join(folder, MANIFEST_FILE))) {
      await readManifest(folder)
      return { name, folder }
    }
  }
  throw new CommandError('There is no backup to restore yet.')
}

async function requireAgreement(dataFolder: string, elsewhere: Elsewhere | undefined) {
  const db = openDatabaseToRead(dataFolder)
  const media = elsewhere?.media ?? openFolderStore(dataFolder)
  const found = await checkSite(db, { dataFolder, media }).finally(() => db.destroy())
  const { videos, files } = found
  const lacks = found.problems.filter(({ kind }) => kind !== 'orphaned')
  const problems = elsewhere ? await withoutChanges(lacks, elsewhere) : lacks
  const [first] = problems
  if (!first) return { videos, files }
  throw new CommandError(
    problems.length === 1
      ? `The restored site is not whole: ${first.text} is ${first.kind}.`
      : `The restored site is not whole in ${problems.length} places. The first: ${first.text} is ${first.kind}.`,
  )
}

async function withoutChanges(problems: Problem[], { site }: Elsewhere): Promise<Problem[]> {
  const db = openDatabaseToRead(site)
  const named = await listNamedFiles(db).finally(() => db.destroy())
  const present = new Set(named.map(({ path }) => `media/${path}`))
  return problems.filter(({ kind, text }) => {
    const [path = ''] = text.split(', ')
    return kind !== 'missing' || !path.startsWith('media/') || present.has(path)
  })
}
