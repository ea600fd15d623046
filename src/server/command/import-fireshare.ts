/** The command can run beside the server. Repeating it continues an interrupted import. */
import { existsSync } from 'node:fs'
import { mkdir, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { readFireshareDatabase } from '../desk/import/fireshare-database.ts'
import { describeFireshareVideo } from '../desk/import/fireshare-video.ts'
import { findImportOwner } from '../desk/import/import.queries.ts'
import {
  type ForeignVideo,
  type ImportDeps,
  type ImportProgress,
  type ImportResult,
  importVideos,
} from '../desk/import/import-videos.ts'
import { busOf } from '../platform/cluster/cluster.ts'
import { tryLock } from '../platform/cluster/locks.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { beginImport } from '../platform/db/maintain.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabase } from '../platform/db/site-database.ts'
import { CommandError, EXIT_FAILED } from '../platform/errors.ts'
import { createLiveFeed } from '../platform/events/live-feed.ts'
import { openDisk } from '../platform/files/disk.ts'
import { openMediaForCommand } from '../platform/files/open-media-store.ts'
import { listCategories } from '../platform/site/site.queries.ts'
import { requireOwnStores } from '../video/media/store-owner.ts'
import { EXIT_WRONG_CALL, readArguments, requireSite, runCommand, say } from './command-line.ts'

const USAGE =
  'Say what to import, and whose it becomes: npm run import-fireshare -- DATA_FOLDER [--videos FOLDER] --owner USERNAME [--dry-run]'
const IS_IMPORTING = 'Another import into this site is running.'
const DATABASE = 'db.sqlite'
const PROGRESS_MS = 2000

await runCommand(async () => {
  const options = {
    videos: { type: 'string' },
    owner: { type: 'string' },
    'dry-run': { type: 'boolean' },
  } as const
  const { values, positionals } = readArguments(options, USAGE)
  const [folder = '', ...others] = positionals
  if (folder === '' || others.length > 0 || !values.owner) {
    throw new CommandError(USAGE, EXIT_WRONG_CALL)
  }
  const isDryRun = values['dry-run'] ?? false
  const config = requireSite()
  const { databasePath, videosFolder } = await findFolders(resolve(folder), values.videos)
  const end = beginImport(config.dataFolder)
  if (!end) throw new CommandError(IS_IMPORTING)
  const db = await openSiteDatabase(config)
  const { media, close } = await openMediaForCommand(config)
  try {
    await requireCurrentSchema(db)
    await requireOwnStores(db, media)
    // `beginImport` locks only this machine.
    if (!(await tryLock(db, 'import'))) throw new CommandError(IS_IMPORTING)
    const viewer = await findImportOwner(db, values.owner)
    if (!viewer) throw new CommandError(`No member named '${values.owner}' may publish videos.`)
    const { videos, damaged, images } = await readLibrary(db, databasePath)
    const deps = { ...openParts(config, db), media }
    for (const path of Object.values(deps.disk.folders)) await mkdir(path, { recursive: true })
    const wanted = { source: 'fireshare', videosFolder, viewer, videos, isDryRun } as const
    const onProgress = createProgress(isDryRun)
    const onLink = ({ title, token }: { title: string; token: string }) =>
      say(`"${title}" opens with its password at ${config.publicUrl ?? ''}/s/${token}`)
    const result = await importVideos(deps, wanted, { onProgress, onLink })
    for (const path of damaged) {
      result.problems.push({ path, sentence: 'Its row in the database is damaged.' })
    }
    report(result, { isDryRun, images })
    return result.problems.length === 0 ? 0 : EXIT_FAILED
  } finally {
    await db.destroy()
    await close()
    end()
  }
})

/** @throws CommandError naming what is missing */
async function findFolders(folder: string, videos: string | undefined) {
  const databasePath = [join(folder, DATABASE), join(folder, 'data', DATABASE)].find(existsSync)
  if (!databasePath) throw new CommandError(`There is no ${DATABASE} in ${folder}.`)
  const usual = [join(folder, 'videos'), join(folder, '..', 'videos')]
  const videosFolder = videos === undefined ? usual.find(existsSync) : resolve(videos)
  if (videosFolder === undefined) {
    throw new CommandError('The folder of videos was not found. Name it: --videos FOLDER')
  }
  const isFolder = await stat(videosFolder).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isFolder) throw new CommandError(`There is no folder ${videosFolder}.`)
  return { databasePath, videosFolder: await realpath(videosFolder) }
}

async function readLibrary(db: Database, path: string) {
  const { videos, ...rest } = await readFireshareDatabase(path)
  const categories = await listCategories(db)
  const described = videos.map((video): ForeignVideo => {
    const { id, path, createdAt: publishedAt, views, crop } = video
    return { id, path, publishedAt, views, crop, ...describeFireshareVideo(video, categories) }
  })
  const timeOf = ({ publishedAt }: ForeignVideo) => publishedAt?.getTime() ?? 0
  return { ...rest, videos: described.sort((one, other) => timeOf(one) - timeOf(other)) }
}

/** The site's own process runs the jobs. */
function openParts(config: Config, db: Database): Omit<ImportDeps, 'media'> {
  return {
    ...{ config, db, disk: openDisk(config.dataFolder), live: createLiveFeed(busOf(db)) },
    deadline: new AbortController().signal,
    jobs: { wake: () => {} },
  }
}

function createProgress(isDryRun: boolean) {
  let saidAt = performance.now()
  return ({ done, all, bytes, allBytes }: ImportProgress) => {
    if (isDryRun || performance.now() - saidAt < PROGRESS_MS) return
    saidAt = performance.now()
    say(`${done} of ${countOf(all, 'video')}, ${formatBytes(bytes)} of ${formatBytes(allBytes)}.`)
  }
}

function report(
  { imported, there, bytes, problems, notes }: ImportResult,
  { isDryRun, images }: { isDryRun: boolean; images: number },
): void {
  for (const { path, sentence } of notes) say(`${path}: ${sentence}`)
  if (images > 0) say(`${countOf(images, 'image')} of Fireshare cannot come: this is a video site.`)
  const verb = isDryRun ? 'Would import' : 'Imported'
  say(`${verb} ${countOf(imported, 'video')}, ${formatBytes(bytes)}. ${there} were there already.`)
  if (problems.length === 0) return
  const what = isDryRun ? 'Could not come' : 'Did not come'
  process.stderr.write(`${what}:\n`)
  for (const { path, sentence } of problems) process.stderr.write(`  ${path}: ${sentence}\n`)
}
