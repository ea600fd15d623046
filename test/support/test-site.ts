import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { createIdentity } from '#server/account/api-token/request-token.ts'
import { createSessionStore, sessionIdOf } from '#server/account/auth/lucia.ts'
import { type AppOptions, buildApp } from '#server/app.ts'
import { createPushSender } from '#server/community/push/push-sender.ts'
import { SINGLE_PROCESS } from '#server/desk/nodes/presence.service.ts'
import { createWebhookSender } from '#server/desk/webhook/webhook-sender.ts'
import { createRankings } from '#server/discovery/explore/rankings.ts'
import { indexWaiting } from '#server/discovery/search/index-upkeep.service.ts'
import { createSearcher, type Searcher } from '#server/discovery/search/searcher.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { mailKinds } from '#server/mail-kinds.ts'
import { busOf } from '#server/platform/cluster/cluster.ts'
import { type Config, readConfig } from '#server/platform/config.ts'
import { type DatabaseTransaction, timestamp } from '#server/platform/db/database.ts'
import { openPostgresDatabase } from '#server/platform/db/postgres/engine.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { foldText } from '#server/platform/db/words.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { createLiveFeed } from '#server/platform/events/live-feed.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { openMediaStore } from '#server/platform/files/open-media-store.ts'
import { shareRemovals } from '#server/platform/files/shared-removals.ts'
import { createMailing } from '#server/platform/mail/mailing.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { createRateLimits } from '#server/platform/request/rate-limits.ts'
import { listLocalHosts } from '#server/platform/site/site.service.ts'
import { createArrivingStreams } from '#server/video/arriving/arriving-streams.ts'
import { createJobWorker } from '#server/video/job/job-worker.ts'
import { redrawPicture } from '#server/video/media/redraw-picture.ts'
import { createViewers } from '#server/video/view/viewers.ts'
import { createRemoteWork } from '#server/video/worker/create-remote-work.ts'
import type { RemoteLimits } from '#server/video/worker/remote-work.ts'
import { SESSION_DAYS } from '#shared/limits.ts'
import { mediaVariables, S3_TEST_LIMITS } from './media-variables.ts'
import { addRow, addRows } from './rows.ts'
import { dropSiteDatabase, openSiteDatabase } from './site-database.ts'

export type TestMember = { id: number; username: string; cookie: string }
type Asked = Omit<InjectOptions, 'method' | 'url'> & { as?: TestMember }
export type TestSite = Awaited<ReturnType<typeof openTestSite>>

/**
 * The whole server on a migrated database in a folder of its own, or with `TEST_DATABASE=postgres` on a server;
 * nothing listens. With `databaseUrl` it is one of several nodes on that database, which whoever made it drops. Its media lie in the folder too, or with `TEST_MEDIA_STORE=s3` on an S3 server.
 */
export async function openTestSite(
  settings: Partial<Config> = {},
  { remoteLimits = {}, ...options }: AppOptions & { remoteLimits?: Partial<RemoteLimits> } = {},
) {
  const dataFolder = settings.dataFolder ?? (await mkdtemp(join(tmpdir(), 'clutch-test-')))
  await mkdir(dataFolder, { recursive: true })
  const variables = { RATE_LIMIT_SCALE: '1000', ...(await mediaVariables(dataFolder)) }
  const config: Config = { ...readConfig(variables), dataFolder, ...settings }
  const db = config.databaseUrl
    ? openPostgresDatabase(config.databaseUrl, { directUrl: config.databaseDirectUrl })
    : await openSiteDatabase(dataFolder)
  const disk = openDisk(dataFolder)
  await disk.prepare()
  const media = shareRemovals(await openMediaStore(config, S3_TEST_LIMITS), busOf(db))
  const closing = new AbortController()
  const live = createLiveFeed(busOf(db))
  const thread = createSearcher({ db, dataFolder: config.dataFolder })
  const index = () => indexWaiting({ db, closing: closing.signal })
  // Tests need not wait until the server looks for what changed.
  const searcher: Searcher = {
    ...thread,
    findVideos: (input) => index().then(() => thread.findVideos(input)),
    findSuggestions: (input) => index().then(() => thread.findSuggestions(input)),
    findChannels: (input) => index().then(() => thread.findChannels(input)),
  }
  const log = { info: () => {}, warn: () => {} }
  const { processingJobs: concurrency, renditionHeights } = config
  const remote = createRemoteWork(remoteLimits)
  const jobs = createJobWorker({
    ...{ config, db, disk, media, live, concurrency, renditionHeights, log, jobHandlers, remote },
  })
  const sessions = createSessionStore(db)
  const limits = createRateLimits({ db, scale: config.rateLimitScale })
  let passedMs = 0
  const now = () => performance.now() + passedMs
  const viewers = createViewers(db, now)
  const outgoing = createOutgoing({ log, localHosts: () => listLocalHosts({ db, config }) })
  const deps: AppDeps = {
    config,
    db,
    sessions,
    identity: createIdentity({ config, db, sessions }),
    disk,
    media,
    redrawPicture,
    jobs,
    jobHandlers,
    remote,
    live,
    outgoing,
    mail: createMailing({ config, db, limits, log, deadline: closing.signal }, mailKinds),
    webhooks: createWebhookSender({ config, db, media, outgoing, log, deadline: closing.signal }),
    push: createPushSender({ config, db, outgoing, log, deadline: closing.signal }),
    searcher,
    rankings: createRankings({ db, searcher }, now),
    limits,
    viewers,
    arriving: createArrivingStreams({ db, disk, media, closing: closing.signal }),
    presence: SINGLE_PROCESS,
    draining: closing.signal,
    closing: closing.signal,
    deadline: closing.signal,
  }
  const app: FastifyInstance = await buildApp(deps, options)
  const call = ({ as, ...request }: InjectOptions & { as?: TestMember }) => {
    const cookie = as ? { cookie: as.cookie } : {}
    return app.inject({ ...request, headers: { ...cookie, ...request.headers } })
  }
  const callBy =
    (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE') => (url: string, request?: Asked) =>
      call({ method, url, ...request })

  return {
    app,
    deps,
    db,
    disk,
    media,
    config,
    log,
    dataFolder,

    /** Brings the search index up to date, as a running server does. */
    index,

    /** Sends a request as a member, or as a visitor. */
    call,
    get: callBy('GET'),
    post: callBy('POST'),
    put: callBy('PUT'),
    patch: callBy('PATCH'),
    delete: callBy('DELETE'),

    /** Lets so much time pass for viewers who watch and for rankings. */
    passTime(seconds: number): void {
      passedMs += seconds * 1000
    },

    /**
     * Inserts a member and starts a session, without the cost of hashing a password; the password counts as
     * typed into it just now, by default.
     */
    async addMember(
      username: string,
      options: { isAdmin?: boolean; isConfirmed?: boolean; passwordHash?: string } = {},
    ): Promise<TestMember> {
      const id = await addRow(db, 'users', {
        username,
        password: options.passwordHash ?? 'no password matches this',
        email: `${username}@example.org`,
        displayName: username,
        isAdmin: options.isAdmin ? 1 : 0,
        createdAt: timestamp(),
      })
      const token = randomBytes(32).toString('base64url')
      await addRows(db, 'sessions', {
        id: sessionIdOf(token),
        userId: id,
        expiresAt: Math.floor(Date.now() / 1000) + SESSION_DAYS * 86_400,
        rememberMe: 0,
        userAgent: null,
        createdAt: timestamp(),
        confirmedAt: options.isConfirmed === false ? null : timestamp(),
      })
      return { id, username, cookie: `clutch=${token}` }
    },

    /** Inserts a public video without files. */
    async addVideo(
      owner: TestMember,
      fields: Partial<NewVideoRow> = {},
      transaction?: DatabaseTransaction,
    ): Promise<number> {
      const { id } = await (transaction ?? db)
        .insertInto('videos')
        .values({
          userId: owner.id,
          mediaKey: crypto.randomUUID().replaceAll('-', ''),
          title: 'A video',
          videoUrl: null,
          thumbnailUrl: null,
          publishedAt: timestamp(),
          processingState: 'ready',
          foldedTitle: foldText(fields.title ?? 'A video'),
          ...fields,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    /** Aborts work that a user waits for, as a stop of the server does. */
    stopWork: () => closing.abort(),

    async close(): Promise<void> {
      closing.abort()
      await app.close()
      await jobs.stop()
      await searcher.stop()
      await db.destroy()
      await dropSiteDatabase(dataFolder)
      // A copy of a stored file may just be arriving.
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
