/** Beside the running site. Repeating continues an interrupted move. `--limit` is per second. */
import { countOf, formatBytes } from '#shared/text/format.ts'
import { moveMedia, type Progress } from '../desk/move/move-media.ts'
import { moveUploads } from '../desk/move/move-uploads.ts'
import { findDistrust, findOddMedia } from '../desk/site-check/distrust.ts'
import { tryLock } from '../platform/cluster/locks.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db/database.ts'
import { beginMove } from '../platform/db/maintain.ts'
import { requireCurrentSchema } from '../platform/db/migrate.ts'
import { openSiteDatabaseToRead } from '../platform/db/site-database.ts'
import { CommandError } from '../platform/errors.ts'
import { layerStores } from '../platform/files/layered-store.ts'
import type { MediaStore } from '../platform/files/media-store.ts'
import { openPlace } from '../platform/files/open-media-store.ts'
import { S3_ADDRESS, type S3Place, s3Address } from '../platform/s3-place.ts'
import { findDeleteLock, removeStoreOwner, takeStores } from '../video/media/store-owner.ts'
import { EXIT_WRONG_CALL, readArguments, requireSite, runCommand, say } from './command-line.ts'

const USAGE =
  'Say where media lie and where they go: npm run move-media -- FROM TO [--limit BYTES], each folder or s3://bucket/prefix'
const IS_MOVING = 'The media of this site are being moved already.'
const DATABASE_FIRST =
  'The database of this site is on PostgreSQL, whose nodes share no folder. Move it first, with npm run move-database.'
/** For a page to open a known file. */
const GRACE_MS = 2000
const PROGRESS_MS = 2000

await runCommand(async () => {
  const { values, positionals } = readArguments({ limit: { type: 'string' } } as const, USAGE)
  const [from, to, ...others] = positionals.map(plainAddress)
  const limit = values.limit === undefined ? undefined : Number(values.limit)
  const isWrong = limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)
  const isPlace = (word: string) => word === 'folder' || S3_ADDRESS.test(word)
  const isCall = from && to && from !== to && others.length === 0 && !isWrong
  if (!isCall || !isPlace(from) || !isPlace(to)) {
    throw new CommandError(USAGE, EXIT_WRONG_CALL)
  }
  const config = requireSite()
  const places = requireSettings(config, { from, to })
  const end = beginMove(config.dataFolder)
  if (!end) throw new CommandError(IS_MOVING)
  const [source, target] = [
    await openPlace(config, places.from),
    await openPlace(config, places.to),
  ]
  const db = await openSiteDatabaseToRead(config)
  try {
    await requireCurrentSchema(db)
    const reason = (await findDistrust(db)) ?? (await findOddMedia(config.dataFolder))
    if (reason) throw new CommandError(`Nothing is moved: ${reason}.`)
    // `beginMove` locks this machine only.
    if (!(await tryLock(db, 'move-media'))) throw new CommandError(IS_MOVING)
    const { dataFolder } = config
    await requireFreeStores({ db, dataFolder }, [target.media, source.media])
    const route = { db, dataFolder, from: source.media, to: target.media }
    const report = createReport()
    const moved = await moveMedia({ ...route, graceMs: GRACE_MS, bytesPerSecond: limit, ...report })
    const left = await moveUploads(route)
    const bytes = formatBytes(moved.bytes)
    say(
      `Moved the media of ${countOf(moved.videos, 'video')} or channels, ${bytes} in all, to ${to}.`,
    )
    if (left > 0) {
      say(
        `${from} has parts of ${countOf(left, 'upload')} under way. Run this again when they are done.`,
      )
    } else if (from !== 'folder') {
      await removeStoreOwner(source.media)
      say('MEDIA_STORE_OLD can be taken out of the settings; restart the site then.')
    }
    return 0
  } finally {
    await db.destroy()
    await source.close()
    await target.close()
    end()
  }
})

/** @throws CommandError unless the site reads FROM and writes to TO */
function requireSettings(
  { media, databaseUrl }: Config,
  { from, to }: { from: string; to: string },
) {
  if (databaseUrl && to === 'folder') throw new CommandError(DATABASE_FIRST)
  const store = media.store ?? ('folder' as const)
  if (addressOf(store) !== to) {
    const setting = to === 'folder' ? 'Take MEDIA_STORE out of' : `Set MEDIA_STORE=${to} in`
    const old = from === 'folder' ? '' : ` with MEDIA_STORE_OLD=${from}`
    throw new CommandError(`${setting} the settings${old}, and restart the site first.`)
  }
  if (from === 'folder') return { from: 'folder' as const, to: store }
  if (typeof media.old === 'object' && s3Address(media.old) === from) {
    return { from: media.old, to: store }
  }
  throw new CommandError(
    `Set MEDIA_STORE_OLD=${from}, with MEDIA_OLD_S3_ENDPOINT and its keys, and restart the site first.`,
  )
}

/** @throws CommandError for another site's, or one where nothing may be deleted */
async function requireFreeStores(
  place: { db: Database; dataFolder: string },
  stores: [to: MediaStore, from: MediaStore],
): Promise<void> {
  const media = layerStores(stores[0], [stores[1]])
  const [other] = await takeStores(place, media)
  const reason = other ?? (await findDeleteLock(place, media))
  if (reason !== undefined) throw new CommandError(reason)
}

function addressOf(place: 'folder' | S3Place): string {
  return place === 'folder' ? place : s3Address(place)
}

function plainAddress(word: string): string {
  return word.replace(/\/+$/, '')
}

function createReport() {
  const begun = performance.now()
  let saidAt = begun
  let waits = ''
  return {
    onProgress(progress: Progress) {
      waits = ''
      if (performance.now() - saidAt < PROGRESS_MS) return
      saidAt = performance.now()
      const { videos, allVideos, bytes, allBytes } = progress
      const seconds = ((saidAt - begun) / 1000) * (allBytes / Math.max(1, bytes) - 1)
      const minutes = Math.max(1, Math.ceil(seconds / 60))
      say(
        `${videos} of ${countOf(allVideos, 'video')}, ${formatBytes(bytes)} of ${formatBytes(allBytes)}; ` +
          `about ${countOf(minutes, 'minute')} left.`,
      )
    },
    onWait(reason: string) {
      if (reason !== waits) say(reason)
      waits = reason
    },
  }
}
