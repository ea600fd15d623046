import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { say } from '#server/command/command-line.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { hasJobs } from '#server/video/job/job.queries.ts'
import { createRandom } from '#tools/seed/random.ts'
import type { SeedVideo } from '#tools/seed/videos.ts'
import { avatarOf } from './avatar.ts'
import { type Calls, type Company, doSomething, keepCompany } from './company.ts'
import { type Community, livePast } from './life.ts'
import { createMembersCalls, unlessRefused } from './live-site.ts'
import type { List } from './playlists.ts'
import type { startRecorder } from './recording/recorder.ts'
import { holdBack, type PlannedVideo } from './video-plan.ts'

const POLL_MS = 1000
const MINUTE_MS = 60_000
/** A video is published every so many minutes. */
const VIDEO_MINUTES = 10
/** How many videos are uploaded before the members get their pictures. */
const FIRST_PAGE = 4

type Work = {
  dataFolder: string
  recordings: string
  origin: string
  recorder: ReturnType<typeof startRecorder>
  videos: PlannedVideo[]
  community: Community
  lists: List[]
  first: Promise<string>
  /** Unix milliseconds. */
  began: number
  signal: AbortSignal
}

/**
 * Uploads most of the videos one after the other. Then, every minute until the signal, a member does
 * something or one of the other videos is published.
 */
export async function liveOn(work: Work): Promise<void> {
  const db = openDatabase(work.dataFolder)
  const { origin, community, signal } = work
  const calls = createMembersCalls({ origin, db, signal })
  const { now, later } = holdBack(work.videos)
  try {
    const videos = await fill(db, calls, { ...work, videos: now })
    const company = { calls, db, community, videos, signal }
    await db.updateTable('siteSettings').set({ uploadsNeedApproval: 0 }).execute()
    await keepCompany(company)
    say(
      `All ${now.length} videos are there, ${secondsOf(work)} after the start; their streams are being made.`,
    )
    if (later.length > 0) {
      say(`${later.length} more are published later, one every ${VIDEO_MINUTES} minutes.`)
    }
    await Promise.all([tellWhenMade(db, work), goOn(company, { ...work, videos: later })])
  } finally {
    await db.destroy()
  }
}

async function tellWhenMade(db: Database, work: Work): Promise<void> {
  while (await hasJobs(db)) await pause(POLL_MS, undefined, { signal: work.signal })
  say(`Everything is made, ${secondsOf(work)} after the start.`)
}

async function goOn(company: Company, work: Work): Promise<void> {
  const { community, signal } = company
  const random = createRandom(community.seed, 'minutes')
  const later = [...work.videos]
  for (let minute = 1; ; minute++) {
    await pause(MINUTE_MS, undefined, { signal })
    const next = minute % VIDEO_MINUTES === 0 ? later.shift() : undefined
    if (next) await publish(company, { work, next })
    else await doSomething(company, random)
  }
}

async function publish(
  { calls, videos }: Company,
  { work, next }: { work: Work; next: PlannedVideo },
): Promise<void> {
  const { recording, ...video } = next
  const path = join(work.recordings, 'later.mp4')
  await work.recorder.make({ path, recording })
  const id = await unlessRefused(calls.uploadVideo(next, path))
  await rm(path)
  if (id !== undefined) videos.unshift({ ...video, publishedAt: Date.now(), viewCount: 0, id })
}

async function fill(db: Database, calls: Calls, work: Work): Promise<SeedVideo[]> {
  const { recordings, recorder, videos, community, lists, signal } = work
  const uploaded: SeedVideo[] = []
  let recorded = work.first
  for (const [index, planned] of videos.entries()) {
    signal.throwIfAborted()
    const path = await recorded
    const next = videos[index + 1]
    if (next) {
      recorded = recorder.make({
        path: join(recordings, `${index + 1}.mp4`),
        recording: next.recording,
        isUrgent: index + 1 < FIRST_PAGE,
      })
      // The next turn awaits it; this avoids an unhandled rejection until then.
      recorded.catch(() => {})
    }
    const id = await unlessRefused(calls.uploadVideo(planned, path))
    await rm(path)
    if (id === undefined) continue
    const { recording: _, ...video } = planned
    await livePast(db, { ...video, id }, { community, lists })
    uploaded.push({ ...video, id })
    if (index === 0) say(`The first video is there, ${secondsOf(work)} after the start.`)
    if (index === Math.min(FIRST_PAGE, videos.length) - 1) await drawAvatars(calls, work)
  }
  return uploaded
}

async function drawAvatars(
  calls: Calls,
  { recordings, recorder, community, signal }: Work,
): Promise<void> {
  for (const { id, username } of community.members) {
    signal.throwIfAborted()
    const path = join(recordings, 'avatar.png')
    await recorder.make({ path, picture: avatarOf(username) })
    await unlessRefused(calls.uploadAvatar(id, path))
    await rm(path)
  }
}

function secondsOf({ began }: Work): string {
  return `${((Date.now() - began) / 1000).toFixed(1)} s`
}
