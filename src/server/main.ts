import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createIdentity } from './account/api-token/request-token.ts'
import { createSessionStore } from './account/auth/lucia.ts'
import { renewSetupCode } from './account/auth/setup-code.ts'
import { noteEnvironmentProviders } from './account/provider/provider.service.ts'
import { buildApp } from './app.ts'
import { createPushSender } from './community/push/push-sender.ts'
import { startDataExports } from './desk/account-data/make-data-export.ts'
import { startPresence } from './desk/nodes/presence.service.ts'
import { noteRunningVersion } from './desk/release/release.service.ts'
import { createWebhookSender } from './desk/webhook/webhook-sender.ts'
import { createRankings } from './discovery/explore/rankings.ts'
import { startIndexing } from './discovery/search/index-upkeep.service.ts'
import { createSearcher } from './discovery/search/searcher.ts'
import { startJanitor } from './janitor.ts'
import { jobHandlers } from './job-handlers.ts'
import { longWorks } from './long-works.ts'
import { mailKinds } from './mail-kinds.ts'
import { busOf } from './platform/cluster/cluster.ts'
import { type Config, readConfig } from './platform/config.ts'
import type { Database } from './platform/db/database.ts'
import { isBusy, isNotAllowed, NOT_ALLOWED } from './platform/db/errors.ts'
import { lockDataFolder } from './platform/db/maintain.ts'
import { openSiteDatabase } from './platform/db/site-database.ts'
import { upgradeDatabase } from './platform/db/upgrade.ts'
import type { AppDeps } from './platform/deps.ts'
import { createDrain } from './platform/drain.ts'
import { AppError, ConfigError } from './platform/errors.ts'
import { createLiveFeed } from './platform/events/live-feed.ts'
import { checkMediaStore } from './platform/files/check-media-store.ts'
import { openDisk, restoreWasInterrupted } from './platform/files/disk.ts'
import { closeDataFolder, keepFilesPrivate, mendFileModes } from './platform/files/file-modes.ts'
import { makeFolder } from './platform/files/make-folder.ts'
import { type MediaStore, StoreError } from './platform/files/media-store.ts'
import { openMediaStore } from './platform/files/open-media-store.ts'
import { shareRemovals } from './platform/files/shared-removals.ts'
import { listLanOrigins } from './platform/http/connection/lan-origins.ts'
import { listen } from './platform/http/connection/listeners.ts'
import { answerMeanwhile } from './platform/http/connection/updating-answer.ts'
import { startLongWork } from './platform/long-work/long-work.service.ts'
import { createMailing } from './platform/mail/mailing.ts'
import { createOutgoing } from './platform/outgoing/outgoing.ts'
import { listPlainStores } from './platform/plain-connections.ts'
import { createRateLimits } from './platform/request/rate-limits.ts'
import { listLocalHosts } from './platform/site/site.service.ts'
import { createArrivingStreams } from './video/arriving/arriving-streams.ts'
import { startFetches } from './video/fetch/start-fetches.ts'
import { startInbox } from './video/inbox/start-inbox.ts'
import { createJobWorker } from './video/job/job-worker.ts'
import { requireNoMedia } from './video/media/folder-media.ts'
import { redrawPicture } from './video/media/redraw-picture.ts'
import { takeStores } from './video/media/store-owner.ts'
import { startCardRenewal } from './video/poster/card-renewal.service.ts'
import { createViewers } from './video/view/viewers.ts'
import { createRemoteWork } from './video/worker/create-remote-work.ts'

const CLIENT_FOLDER = join(import.meta.dirname, '..', '..', 'dist')
/** Everything stops within 10 s. */
const STOP_MS = 9000
const IDLE_POLL_MS = 100
/** Shorter: answers still reach clients. */
const WORK_STOP_MS = 8000

const INTERRUPTED_RESTORE =
  'A restore into DATA_DIR was interrupted. Run npm run restore again, or empty the folder.'

const START_FAILURES: [string[], string][] = [
  [['EADDRINUSE'], 'PORT is in use by another program. Choose another one.'],
  [
    ['ENOTFOUND', 'EADDRNOTAVAIL', 'EINVAL', 'EAI_AGAIN'],
    'HOST is not an address of this machine.',
  ],
  [['EEXIST', 'ENOTDIR'], 'DATA_DIR is not a folder.'],
  [['EACCES', 'EPERM'], 'The PORT or the DATA_DIR may not be used by this account.'],
  [
    ['EROFS', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'],
    'DATA_DIR may not be written to by this account.',
  ],
  [['ENOSPC', 'SQLITE_FULL'], 'DATA_DIR is on a disk that is full.'],
  [
    ['SQLITE_NOTADB', 'SQLITE_CORRUPT'],
    'DATA_DIR holds a clutch.db that is damaged or no database.',
  ],
]

keepFilesPrivate()
try {
  await start(readConfig())
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof AppError
  process.stderr.write(`${expected ? error.message : explain(error)}\n`)
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  await makeFolder(config.dataFolder)
  const unlock = lockDataFolder(config.dataFolder)
  if (!unlock) {
    throw new ConfigError(`Another Clutch already uses the data folder ${config.dataFolder}.`)
  }
  if (await restoreWasInterrupted(config.dataFolder)) {
    unlock()
    throw new ConfigError(INTERRUPTED_RESTORE)
  }
  await upgrade(config)
  const db = await openSiteDatabase(config)
  const disk = openDisk(config.dataFolder)
  await disk.prepare()
  const media = shareRemovals(await openMediaStore(config), busOf(db))
  // A site on SQLite, or a copied data folder, may have left files.
  if (config.databaseUrl) await requireNoMedia(db, config.dataFolder)
  const storeProblem = (await checkMediaStore(media)) ?? (await takeMedia(config, { db, media }))
  // Before any request: the old code is invalid.
  const setupCode = await renewSetupCode(db)
  await noteEnvironmentProviders(db, config.providers)
  const drain = createDrain(config)
  let app: FastifyInstance
  const log = {
    info: (details: object, message: string) => app.log.info(details, message),
    warn: (details: object, message: string) => app.log.warn(details, message),
  }
  const presence = await startPresence({ db, config, log })
  await noteRunningVersion(db)
  const live = createLiveFeed(busOf(db))
  const searcher = createSearcher({ db, dataFolder: config.dataFolder })
  const rankings = createRankings({ db, searcher })
  const closing = new AbortController()
  const deadline = new AbortController()
  const { processingJobs: concurrency, renditionHeights } = config
  const remote = createRemoteWork()
  const jobs = createJobWorker({
    ...{ config, db, disk, media, live, concurrency, renditionHeights, log, jobHandlers, remote },
  })
  const sessions = createSessionStore(db)
  const limits = createRateLimits({ db, scale: config.rateLimitScale })
  const viewers = createViewers(db)
  const signals = { draining: drain.signal, closing: closing.signal, deadline: deadline.signal }
  const identity = createIdentity({ config, db, sessions })
  const outgoing = createOutgoing({ log, localHosts: () => listLocalHosts({ db, config }) })
  const parts = {
    config,
    db,
    sessions,
    identity,
    disk,
    media,
    redrawPicture,
    live,
    outgoing,
    mail: createMailing({ config, db, limits, log, deadline: deadline.signal }, mailKinds),
    webhooks: createWebhookSender({ config, db, media, outgoing, log, deadline: deadline.signal }),
    push: createPushSender({ config, db, outgoing, log, deadline: deadline.signal }),
    searcher,
    rankings,
  }
  const work = { jobs, jobHandlers, remote }
  const arriving = createArrivingStreams({ db, disk, media, closing: closing.signal })
  const deps: AppDeps = { ...parts, ...work, limits, viewers, arriving, presence, ...signals }
  app = await buildApp(deps, {
    logger: { level: config.logLevel },
    clientFolder: CLIENT_FOLDER,
  })
  for (const reason of listPlainStores(config))
    log.warn({ reason }, 'a connection is not encrypted')
  if (config.mailProblem) log.warn({}, config.mailProblem)
  if (storeProblem) log.warn({ reason: storeProblem }, 'the store of videos does not answer')
  await closeFiles({ config, closing: closing.signal, log })
  const listeners = await listen(app, config)
  await jobs.start()
  const stopJanitor = startJanitor({ ...deps, log })
  const stopIndexing = startIndexing({ ...deps, log })
  const stopRenewal = startCardRenewal({ ...deps, log })
  const stopLongWork = startLongWork({ ...deps, log }, longWorks)
  const stopDataExports = startDataExports({ ...deps, log })
  const stopFetches = startFetches({ ...deps, log })
  const stopInbox = startInbox({ ...deps, log })
  const stopMailing = deps.mail?.start()
  const stopWebhooks = deps.webhooks?.start()
  const stopPush = deps.push.start()
  const stop = async (signal: string) => {
    app.log.info({ signal }, 'stopping')
    if (!drain.signal.aborted) void presence.drain()
    if (!(await drain.begin())) return
    closing.abort()
    setTimeout(() => deadline.abort(), WORK_STOP_MS).unref()
    const late = setTimeout(() => app.server.closeAllConnections(), STOP_MS)
    // Clients keep idle connections open.
    const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_POLL_MS)
    const upkeep = [
      stopJanitor(),
      stopIndexing(),
      stopRenewal(),
      stopLongWork(),
      stopDataExports(),
      stopFetches(),
      stopInbox(),
      stopMailing?.(),
      stopWebhooks?.(),
      stopPush(),
    ]
    await Promise.all([app.close(), listeners.close(), jobs.stop(), ...upkeep])
    clearTimeout(late)
    clearInterval(idle)
    await searcher.stop()
    await presence.leave()
    await db.destroy()
    unlock()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  announce(app, { config, setupCode })
  flushCompileCache()
}

/** Uses connections without a statement timeout. */
async function upgrade(config: Config): Promise<void> {
  const db = await openSiteDatabase(config, { isPatient: true })
  try {
    await upgradeDatabase(db, config.dataFolder, (work) => answerMeanwhile(config, work))
  } finally {
    await db.destroy()
  }
}

/**
 * @returns the current outage
 * @throws ConfigError for another site's store
 */
async function takeMedia(
  { dataFolder }: Config,
  { db, media }: { db: Database; media: MediaStore },
): Promise<string | undefined> {
  try {
    const [other] = await takeStores({ db, dataFolder }, media)
    if (other !== undefined) throw new ConfigError(other)
  } catch (error) {
    if (error instanceof StoreError) return error.message
    throw error
  }
}

async function closeFiles(input: {
  config: Config
  closing: AbortSignal
  log: { warn: (details: object, message: string) => void }
}): Promise<void> {
  const { config, closing: signal, log } = input
  const groupReadsMedia = config.xAccelPrefix !== undefined
  const warn = (err: unknown) =>
    log.warn(
      { err },
      'the files in DATA_DIR could not be closed to the other accounts of this machine',
    )
  await closeDataFolder(config.dataFolder, { groupReadsMedia }).catch(warn)
  mendFileModes(config.dataFolder, { groupReadsMedia, signal }).catch(warn)
}

function announce(
  app: FastifyInstance,
  { config, setupCode }: { config: Config; setupCode: string | undefined },
): void {
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const origin = config.publicUrl ?? `http://localhost:${port}`
  const lines = [`Clutch is ready: ${origin}`]
  for (const lanOrigin of listLanOrigins(config, port)) {
    lines.push(`  on this network: ${lanOrigin}`)
  }
  if (setupCode !== undefined) {
    lines.push(
      'This site has no admin yet. Whoever registers with this link, once, becomes the admin:',
      `  ${origin}/auth?setup=${setupCode}`,
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function explain(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const sentence = START_FAILURES.find(([codes]) => codes.includes(code))?.[1]
  if (sentence) return sentence
  if (isNotAllowed(error)) return NOT_ALLOWED
  if (isBusy(error)) return 'The database does not answer any more. Please try again in a moment.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
