import { readdir, utimes } from 'node:fs/promises'
import { createIdentity } from '#server/account/api-token/request-token.ts'
import { createSessionStore } from '#server/account/auth/lucia.ts'
import { checkSite } from '#server/desk/site-check/file-check.ts'
import { createSearcher } from '#server/discovery/search/searcher.ts'
import { tidy } from '#server/janitor.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { createLiveFeed } from '#server/platform/events/live-feed.ts'
import { openDisk } from '#server/platform/files/disk.ts'
import { openFolderStore } from '#server/platform/files/folder-store.ts'
import { createRateLimits } from '#server/platform/http/rate-limits.ts'
import { createJobWorker } from '#server/video/job/job-worker.ts'
import { redrawPicture } from '#server/video/media/redraw-picture.ts'
import { createViewers } from '#server/video/view/viewers.ts'

const TWO_HOURS_MS = 2 * 60 * 60 * 1000

/**
 * Lets the janitor of a stopped site make two rounds, as if an hour had passed between them and what the
 * doctor calls orphaned had lain there for two.
 * @returns what the doctor says of it then, a sentence each
 */
export async function tidyStoppedSite(dataFolder: string): Promise<string[]> {
  const { problems } = await doctorSite(dataFolder)
  const before = new Date(Date.now() - TWO_HOURS_MS)
  const orphans = problems.filter(({ kind }) => kind === 'orphaned')
  if (orphans.length === 0) return problems.map(describeProblem)
  for (const { text } of orphans) {
    const folder = `${dataFolder}/${text}`
    for (const name of await readdir(folder, { recursive: true })) {
      await utimes(`${folder}/${name}`, before, before)
    }
    await utimes(folder, before, before)
  }
  const db = openDatabase(dataFolder)
  const disk = openDisk(dataFolder)
  await disk.prepare()
  const media = openFolderStore(dataFolder)
  const live = createLiveFeed()
  const log = { info: () => {}, warn: () => {} }
  const signal = new AbortController().signal
  const searcher = createSearcher({ dataFolder })
  const config = { ...readConfig({}), dataFolder }
  const sessions = createSessionStore(db)
  const deps: AppDeps = {
    config,
    db,
    disk,
    media,
    redrawPicture,
    identity: createIdentity({ config, db, sessions }),
    live,
    searcher,
    sessions,
    jobs: createJobWorker({ db, disk, media, live, concurrency: 1, renditionHeights: [144], log }),
    limits: createRateLimits(1),
    viewers: createViewers(db),
    closing: signal,
    deadline: signal,
  }
  const suspects = await tidy({ ...deps, log }, new Set())
  await tidy({ ...deps, log }, suspects)
  await searcher.stop()
  await db.destroy()
  const left = await doctorSite(dataFolder)
  return left.problems.map(describeProblem)
}

function describeProblem({ kind, text }: { kind: string; text: string }): string {
  return `The doctor says: ${kind}: ${text}`
}

/** What `npm run doctor` finds: the database's own check of itself, and rows against files. */
export async function doctorSite(dataFolder: string) {
  const db = openDatabaseToRead(dataFolder)
  try {
    return await checkSite(db, { dataFolder, media: openFolderStore(dataFolder) })
  } finally {
    await db.destroy()
  }
}
