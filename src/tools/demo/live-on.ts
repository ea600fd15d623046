import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { say } from '#server/command/command-line.ts'
import type { Database } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { hasJobs } from '#server/video/job/job.queries.ts'
import { avatarOf } from './avatar.ts'
import { type Community, livePast } from './life.ts'
import { createMembersCalls } from './live-site.ts'
import type { List } from './playlists.ts'
import type { startRecorder } from './recording/recorder.ts'
import type { PlannedVideo } from './video-plan.ts'

const POLL_MS = 1000
/** Clips before the members get their pictures. */
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

/** Uploads one video after the other. Ends when all streams are made, or with the signal. */
export async function liveOn(work: Work): Promise<void> {
  const db = openDatabase(work.dataFolder)
  try {
    await fill(db, work)
    await db.updateTable('siteSettings').set({ uploadsNeedApproval: 0 }).execute()
    say(
      `All ${work.videos.length} clips are there, ${secondsOf(work)} after the start; their streams are being made.`,
    )
    while (await hasJobs(db)) await pause(POLL_MS, undefined, { signal: work.signal })
    say(`Everything is made, ${secondsOf(work)} after the start.`)
  } finally {
    await db.destroy()
  }
}

async function fill(db: Database, work: Work): Promise<void> {
  const { origin, recordings, recorder, videos, community, lists, signal } = work
  const calls = createMembersCalls({ origin, db, signal })
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
    const id = await calls.uploadVideo(planned, path)
    const { recording: _, ...video } = planned
    await livePast(db, { ...video, id }, { community, lists })
    await rm(path)
    if (index === 0) say(`The first clip is there, ${secondsOf(work)} after the start.`)
    if (index === Math.min(FIRST_PAGE, videos.length) - 1) await drawAvatars(calls, work)
  }
}

async function drawAvatars(
  calls: ReturnType<typeof createMembersCalls>,
  { recordings, recorder, community, signal }: Work,
): Promise<void> {
  for (const { id, username } of community.members) {
    signal.throwIfAborted()
    const path = join(recordings, 'avatar.png')
    await recorder.make({ path, picture: avatarOf(username) })
    await calls.uploadAvatar(id, path)
    await rm(path)
  }
}

function secondsOf({ began }: Work): string {
  return `${((Date.now() - began) / 1000).toFixed(1)} s`
}
