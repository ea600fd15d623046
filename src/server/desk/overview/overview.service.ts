import { statfs } from 'node:fs/promises'
import type { Database } from '#server/platform/db/database.ts'
import { countDatabaseBytes } from '#server/platform/db/maintain.ts'
import { listUpgradeCopies } from '#server/platform/db/upgrade.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { sizeOf } from '#server/platform/durable-files.ts'
import { mediaAddress } from '#server/platform/files/open-media-store.ts'
import { readStoreProblem } from '#server/platform/files/store-problem.ts'
import { listPlainStores } from '#server/platform/plain-connections.ts'
import { findDeleteLock } from '#server/video/media/store-owner.ts'
import { listWorkers } from '#server/video/worker/worker.queries.ts'
import type { Forecast, Overview, Storage, Waiting } from '#shared/schemas/desk/overview.schemas.ts'
import { findLastBackup } from '../backup/backup.queries.ts'
import { findNewerVersion } from '../release/release.service.ts'
import { forecastStorage } from './forecast.ts'
import {
  countTotals,
  countWaiting,
  listStorageSamples,
  readStorageTotals,
  sumUploadedBytes,
} from './overview.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media'>

export async function readOverview(deps: Deps & Pick<AppDeps, 'remote'>): Promise<Overview> {
  const { db } = deps
  const { queued, running, ...counts } = await countTotals(db)
  const { failedJobs, pausedWebhooks: _, ...waiting } = await countWaiting(db)
  const storage = await readStorage(deps)
  return {
    ...counts,
    ...waiting,
    jobs: { queued, running, failed: failedJobs },
    storage,
    forecast: await readForecast(db, storage),
    lastBackup: (await findLastBackup(db)) ?? null,
    plainConnections: [...listPlainStores(deps.config), ...(await listPlainWorkers(deps))],
  }
}

/** Describes the workers that have reached this node over plain HTTP since it started. */
async function listPlainWorkers({ db, remote }: Pick<AppDeps, 'db' | 'remote'>): Promise<string[]> {
  if (remote.plain.size === 0) return []
  const workers = (await listWorkers(db)).filter(({ id }) => remote.plain.has(id))
  return workers.map(
    ({ name }) => `Recordings go to the worker ${name} without encryption: it uses plain HTTP.`,
  )
}

/** Reads what the notification bell shows to admins. */
export async function readWaiting({ db, disk }: Pick<Deps, 'db' | 'disk'>): Promise<Waiting> {
  return {
    ...(await countWaiting(db)),
    isDiskFull: (await disk.freeBytes()) <= 0,
    newVersion: await findNewerVersion(db),
  }
}

async function readForecast(db: Database, storage: Storage): Promise<Forecast> {
  const { elsewhere, free } = storage
  if (!elsewhere) return forecastStorage(await listStorageSamples(db), free)
  if (elsewhere.limit === null) return { kind: 'unlimited' }
  return forecastStorage(await listStorageSamples(db), elsewhere.limit - mediaBytes(storage))
}

function mediaBytes({ originals, videos, renditions, pictures }: Storage): number {
  return originals + videos + renditions + pictures
}

export async function readStorage({ config, db, disk, media }: Deps): Promise<Storage> {
  const totals = await readStorageTotals(db)
  const sum = (...kinds: string[]) =>
    kinds.reduce((bytes, kind) => bytes + (totals.get(kind) ?? 0), 0)
  const listed = [...totals].filter(([kind]) => kind !== 'all').reduce((all, [, n]) => all + n, 0)
  const { blocks, bsize } = await statfs(config.dataFolder)
  return {
    originals: Math.max(0, sum('all') - listed),
    videos: sum('video', 'share'),
    renditions: sum('rendition', 'playlist', 'sound'),
    pictures: sum('picture', 'storyboard', 'captions'),
    uploads: await sumUploadedBytes(db),
    database: await databaseBytes(db, config.dataFolder),
    free: Math.max(0, await disk.freeBytes()),
    disk: blocks * bsize,
    elsewhere: await readElsewhere({ config, db, media }),
  }
}

async function readElsewhere({
  config,
  db,
  media,
}: Pick<Deps, 'config' | 'db' | 'media'>): Promise<Storage['elsewhere']> {
  const store = mediaAddress(config.media)
  if (store === undefined) return null
  const { dataFolder } = config
  const problem = readStoreProblem(media) ?? (await findDeleteLock({ db, dataFolder }, media))
  return {
    store,
    limit: config.media.limitBytes ?? null,
    copies: media.remote?.copiedBytes() ?? 0,
    problem: problem ?? null,
  }
}

/** Includes the copies that are made before updates. */
async function databaseBytes(db: Database, dataFolder: string): Promise<number> {
  const copies = await Promise.all((await listUpgradeCopies(dataFolder)).map(sizeOf))
  const bytes = await countDatabaseBytes(db)
  return copies.reduce<number>((sum, size) => sum + (size ?? 0), bytes)
}
