import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import { readLoopDelay } from '../torture/load/server-watch.ts'
import type { Benchmark, BenchmarkInput, Measurement } from './benchmark.ts'
import { atMost } from './goal.ts'
import { signIn } from './member.ts'
import { seededSite } from './seeded-site.ts'
import { type ServerChild, startSite } from './server-child.ts'

const LOOP_DELAY = join(import.meta.dirname, '..', 'torture', 'load', 'loop-delay.ts')
const VIDEOS = 1000
const SUBSCRIBERS = 20_000
const COMMENTS_OF_AUTHOR = 100_000
const COMMENTS_OF_VIDEO = 200_000
const [ADMIN_ID, OWNER_ID, AUTHOR_ID, OTHER_ID] = [1, 2, 3, 4]
const POLL_MS = 100
/** Between writes of the other member, who is one of many. */
const WRITE_PAUSE_MS = 10
const LONGEST_MS = 10 * 60_000

/** What one act of one person changes in tens of thousands of rows, and whom it holds up. */
export const largeWrites: Benchmark = {
  name: 'large-writes',
  title: 'Acts that change tens of thousands of rows',
  async run(input) {
    const dataFolder = join(input.workFolder, 'site')
    await mkdir(dataFolder)
    const seeded = await seededSite({ ...input, videos: VIDEOS })
    await copyFile(join(seeded, 'clutch.db'), join(dataFolder, 'clutch.db'))
    input.note('Adding subscribers and comments …')
    const { announced, discussed } = await addRows(dataFolder)
    const delayFile = join(input.workFolder, 'loop-delay.json')
    const site = await startSite(dataFolder, {
      settings: { LOOP_DELAY_FILE: delayFile, PROCESSING_JOBS: '0' },
      flags: ['--import', LOOP_DELAY],
    })
    try {
      const as = (userId: number) => signIn(site.origin, dataFolder, userId)
      const [admin, owner, other] = [await as(ADMIN_ID), await as(OWNER_ID), await as(OTHER_ID)]
      const db = openDatabaseToRead(dataFolder)
      const hasRows = async (table: 'longWork' | 'searchOutbox') =>
        (await db.selectFrom(table).select('kind').limit(1).execute()).length > 0
      const isOver = async () => !(await hasRows('longWork'))
      const reason = 'Tried on a bench'
      const acts: Act[] = [
        {
          what: `a video is shown to ${SUBSCRIBERS} subscribers`,
          ...{ cookie: owner, procedure: 'video.edit' },
          input: { id: announced, visibility: 'public' },
        },
        {
          what: 'it is taken back from them',
          ...{ cookie: owner, procedure: 'video.edit' },
          input: { id: announced, visibility: 'private' },
        },
        {
          what: `the author of ${COMMENTS_OF_AUTHOR} comments is banned`,
          ...{ cookie: admin, procedure: 'moderation.ban' },
          input: { userId: AUTHOR_ID, reason, deletesContent: false },
        },
        {
          what: 'the ban is lifted',
          ...{ cookie: admin, procedure: 'moderation.unban' },
          input: { userId: AUTHOR_ID },
        },
        ...(['private', 'public'] as const).map((visibility) => ({
          what: `a video with ${COMMENTS_OF_VIDEO} comments becomes ${visibility}`,
          ...{ cookie: owner, procedure: 'video.edit' },
          input: { id: discussed, visibility },
        })),
        ...(['hideVideo', 'unhideVideo'] as const).map((act) => ({
          what: act === 'hideVideo' ? 'it is hidden by an admin' : 'it is shown again',
          ...{ cookie: admin, procedure: `moderation.${act}` },
          input: { id: discussed, ...(act === 'hideVideo' && { reason }) },
        })),
        {
          what: 'it is deleted',
          ...{ cookie: owner, procedure: 'video.delete' },
          input: { id: discussed },
        },
      ]
      const found: Measurement[] = []
      await waitFor(async () => !(await hasRows('searchOutbox')))
      for (const act of acts) {
        found.push(...(await measure(site, { act, isOver, delayFile, other, note: input.note })))
      }
      await db.destroy()
      return found
    } finally {
      await site.stop()
    }
  },
}

type Act = {
  what: string
  cookie: string
  procedure: string
  input: object
}

async function measure(
  site: ServerChild,
  input: {
    act: Act
    /** All rows are changed. */
    isOver: () => Promise<boolean>
    delayFile: string
    /** The cookie of another member. */
    other: string
  } & Pick<BenchmarkInput, 'note'>,
): Promise<Measurement[]> {
  const { act, delayFile, other, note } = input
  await settle(site, { cookie: other })
  await readLoopDelay(site.pid, delayFile)
  const began = performance.now()
  let isEnded = false
  const waits: number[] = []
  const writing = (async () => {
    for (let turn = 0; !isEnded; turn++) {
      waits.push(await writeSomething(site, other, turn))
      await pause(WRITE_PAUSE_MS)
    }
  })()
  await call(site, act)
  const answerMs = performance.now() - began
  await waitFor(input.isOver)
  const seconds = (performance.now() - began) / 1000
  await pause(POLL_MS)
  isEnded = true
  await writing
  const { own, max } = await readLoopDelay(site.pid, delayFile)
  const longest = Math.max(...waits)
  const alone = { row: 'large-writes', unit: 'ms', floorName: null, floor: null } as const
  note(
    `  ${act.what}: ${own.max.toFixed(1)} (${max.toFixed(1)}), answer ${answerMs.toFixed(0)}, other ${longest.toFixed(0)} ms; ${seconds.toFixed(1)} s`,
  )
  return [
    {
      ...{ ...alone, what: `${act.what}: the event loop is held up`, ours: own.max },
      goal: atMost(10),
      remark:
        `with waiting for a processor ${max.toFixed(1)} ms; another member's write ` +
        `${longest.toFixed(0)} ms; over after ${seconds.toFixed(1)} s`,
    },
    { ...alone, what: 'the same: its answer', ours: answerMs, goal: atMost(100) },
  ]
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_MS
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('An act does not end.')
    await pause(POLL_MS)
  }
}

/** Code that runs for the first time takes longer. */
async function settle(site: ServerChild, { cookie }: { cookie: string }): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await writeSomething(site, cookie, turn)
}

/** @returns milliseconds until the answer */
async function writeSomething(site: ServerChild, cookie: string, turn: number): Promise<number> {
  const began = performance.now()
  const procedure = turn % 2 === 0 ? 'subscription.create' : 'subscription.delete'
  await call(site, { cookie, procedure, input: { channelId: OTHER_ID + 5 } })
  return performance.now() - began
}

async function call(
  { origin }: ServerChild,
  { cookie, procedure, input }: Pick<Act, 'cookie' | 'procedure' | 'input'>,
): Promise<void> {
  const answer = await fetch(`${origin}/trpc/${procedure}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(input),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${procedure} is answered ${answer.status}: ${text}`)
}

/** @returns videos of the owner: one that nobody was told of, and the discussed one */
async function addRows(dataFolder: string): Promise<{ announced: number; discussed: number }> {
  const db = openDatabase(dataFolder)
  try {
    return await db.transaction().execute(async (transaction) => {
      const videos = await transaction
        .selectFrom('videos')
        .select('id')
        .orderBy('id')
        .limit(2)
        .execute()
      const [announced = 0, discussed = 0] = videos.map(({ id }) => id)
      await transaction
        .updateTable('videos')
        .set({ userId: OWNER_ID, visibility: 'public', isAnonymous: 0, processingState: 'ready' })
        .set({ contentApproved: 1, withheld: null })
        .where('id', 'in', [announced, discussed])
        .execute()
      await transaction
        .updateTable('videos')
        .set({ userId: OTHER_ID })
        .where('userId', '=', AUTHOR_ID)
        .execute()
      await transaction
        .updateTable('videos')
        .set({ visibility: 'private' })
        .where('id', '=', announced)
        .execute()
      await transaction
        .deleteFrom('announcedActs')
        .where('kind', '=', 'upload')
        .where('targetId', '=', announced)
        .execute()
      await addSubscribers(transaction)
      await addComments(transaction, { discussed })
      return { announced, discussed }
    })
  } finally {
    await db.destroy()
  }
}

async function addSubscribers(db: Database): Promise<void> {
  const now = timestamp()
  await db.deleteFrom('subscriptions').where('channelId', '=', OWNER_ID).execute()
  await sql`
    WITH RECURSIVE "counter" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "counter" WHERE "n" < ${SUBSCRIBERS})
    INSERT INTO "users" ("username", "password", "email", "displayName", "createdAt")
    SELECT 'fan' || "n", '-', 'fan' || "n" || '@example.org', 'Fan ' || "n", ${now} FROM "counter"`.execute(
    db,
  )
  await sql`
    INSERT INTO "subscriptions" ("subscriberId", "channelId", "subscribedAt")
    SELECT "id", ${OWNER_ID}, ${now} FROM "users" WHERE "username" LIKE 'fan%' AND "email" LIKE 'fan%@example.org'`.execute(
    db,
  )
}

/** Half of the video's comments are of the author; each told the owner. */
async function addComments(db: Database, { discussed }: { discussed: number }): Promise<void> {
  const now = timestamp()
  await db.deleteFrom('comments').where('userId', '=', AUTHOR_ID).execute()
  await sql`
    WITH RECURSIVE "counter" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "counter" WHERE "n" < ${COMMENTS_OF_VIDEO})
    INSERT INTO "comments" ("videoId", "userId", "content", "createdAt")
    SELECT ${discussed}, CASE WHEN "n" % 2 = 0 THEN ${AUTHOR_ID} ELSE ${OTHER_ID} END, 'Comment ' || "n", ${now}
    FROM "counter"`.execute(db)
  await sql`
    INSERT INTO "notifications" ("userId", "type", "title", "message", "sourceUserId", "videoId", "commentId", "createdAt")
    SELECT ${OWNER_ID}, 'video_comment', 'New comment', "content", "userId", "videoId", "id", "createdAt"
    FROM "comments" WHERE "videoId" = ${discussed}`.execute(db)
}
