import { readdir, utimes } from 'node:fs/promises'
import { createIdentity } from '#server/account/api-token/request-token.ts'
import { createSessionStore } from '#server/account/auth/lucia.ts'
import { createPushSender } from '#server/community/push/push-sender.ts'
import { SINGLE_PROCESS } from '#server/desk/nodes/presence.service.ts'
import { checkSite } from '#server/desk/site-check/file-check.ts'
import { createRankings } from '#server/discovery/explore/rankings.ts'
import { createSearcher } from '#server/discovery/search/searcher.ts'
import { tidy } from '#server/janitor.ts'
import { jobHandlers } from '#server/job-handlers.ts'
import { busOf } from '#server/platform/cluster/cluster.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSiteDatabase } from '#server/platform/db/site-database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { createLiveFeed } from '#server/platform/events/live-feed.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { openMediaForCommand } from '#server/platform/files/open-media-store.ts'
import { createOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { createRateLimits } from '#server/platform/request/rate-limits.ts'
import { listLocalHosts } from '#server/platform/site/site.service.ts'
import { createArrivingStreams } from '#server/video/arriving/arriving-streams.ts'
import { createJobWorker } from '#server/video/job/job-worker.ts'
import { redrawPicture } from '#server/video/media/redraw-picture.ts'
import { createViewers } from '#server/video/view/viewers.ts'
import { createRemoteWork } from '#server/video/worker/create-remote-work.ts'
import { mediaVariables } from '#test/support/media-variables.ts'
import { listWrongCounts } from './wrong-counts.ts'

const TWO_HOURS_MS = 2 * 60 * 60 * 1000

/**
 * Lets the janitor of a stopped site make two rounds, as if an hour had passed between them and what the
 * doctor calls orphaned had lain there for two, as all that a store elsewhere holds.
 * @param env says where the media are, unless they are in the data folder
 * @returns what the doctor says of it then, a sentence each
 */
export async function tidyStoppedSite(
  dataFolder: string,
  env: Record<string, string> = {},
): Promise<string[]> {
  const variables = { ...(await mediaVariables(dataFolder)), ...env }
  const { problems } = await doctorSite(dataFolder, variables)
  const orphans = problems.filter(({ kind }) => kind === 'orphaned')
  const config = readConfig({ ...variables, DATA_DIR: dataFolder })
  if (orphans.length === 0 && !config.media.store) return problems.map(describeProblem)
  for (const { text } of orphans) await makeOld(`${dataFolder}/${text}`)
  const db = await openSiteDatabase(config)
  const disk = openDisk(dataFolder)
  await disk.prepare()
  const { media: stored, close } = await openMediaForCommand(config)
  const media = stored.remote ? agedStore(stored) : stored
  const live = createLiveFeed(busOf(db))
  const log = { info: () => {}, warn: () => {} }
  const signal = new AbortController().signal
  const searcher = createSearcher({ db, dataFolder })
  const sessions = createSessionStore(db)
  const remote = createRemoteWork()
  const outgoing = createOutgoing({ log, localHosts: () => listLocalHosts({ db, config }) })
  const deps: AppDeps = {
    config,
    db,
    disk,
    media,
    redrawPicture,
    identity: createIdentity({ config, db, sessions }),
    live,
    outgoing,
    push: createPushSender({ config, db, outgoing, log, deadline: signal }),
    mail: undefined,
    webhooks: undefined,
    searcher,
    rankings: createRankings({ db, searcher }),
    sessions,
    jobs: createJobWorker({
      ...{ config, db, disk, media, live, log, jobHandlers, remote },
      ...{ concurrency: 1, renditionHeights: [144] },
    }),
    jobHandlers,
    remote,
    limits: createRateLimits({ db, scale: 1 }),
    viewers: createViewers(db),
    arriving: createArrivingStreams({ db, disk, media, closing: signal }),
    presence: SINGLE_PROCESS,
    draining: signal,
    closing: signal,
    deadline: signal,
  }
  const suspects = await tidy({ ...deps, log }, new Set())
  await tidy({ ...deps, log }, suspects)
  await searcher.stop()
  await db.destroy()
  await close()
  const [left, counts] = [await doctorSite(dataFolder, env), await listWrongCounts(dataFolder, env)]
  return [...left.problems.map(describeProblem), ...counts]
}

/** Nothing is done where there is no such folder on this machine. */
async function makeOld(folder: string): Promise<void> {
  const before = new Date(Date.now() - TWO_HOURS_MS)
  const names = await readdir(folder, { recursive: true }).catch(() => undefined)
  for (const name of names ?? []) await utimes(`${folder}/${name}`, before, before)
  if (names) await utimes(folder, before, before)
}

/** A store whose files have all been there for two hours. */
function agedStore(media: MediaStore): MediaStore {
  return {
    ...media,
    async *list(prefix) {
      for await (const file of media.list(prefix)) {
        yield { ...file, modifiedAt: new Date(file.modifiedAt.getTime() - TWO_HOURS_MS) }
      }
    },
  }
}

function describeProblem({ kind, text }: { kind: string; text: string }): string {
  return `The doctor says: ${kind}: ${text}`
}

/** Returns what `npm run doctor` finds: the check of the database by itself, and rows compared with files. */
export async function doctorSite(dataFolder: string, env: Record<string, string> = {}) {
  const variables = { ...(await mediaVariables(dataFolder)), ...env }
  const db = await openSiteDatabase(readConfig({ ...variables, DATA_DIR: dataFolder }))
  const config = readConfig({ ...variables, DATA_DIR: dataFolder })
  const { media, close } = await openMediaForCommand(config)
  try {
    return await checkSite(db, { dataFolder, media })
  } finally {
    await close()
    await db.destroy()
  }
}
