import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NotNull } from 'kysely'
import { openDatabase, openDatabaseToRead } from '#server/platform/db/open.ts'
import type { Benchmark } from './benchmark.ts'
import { askBothWays, compareRequests, cursorBeforeAll, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'

const THREADS = 500
const goals = { row: 'comments', rateGoal: 0.25 } as const

export const comments: Benchmark = {
  name: 'comments',
  title: 'The comments of a much discussed video',
  async run(input) {
    const dataFolder = join(input.workFolder, 'site')
    await mkdir(dataFolder)
    await copyFile(join(await seededSite(input), 'clutch.db'), join(dataFolder, 'clutch.db'))
    await addThreads(dataFolder)
    const [video] = await listMostDiscussed(dataFolder, 1)
    if (!video || video.threads < THREADS) {
      throw new Error(`No video has ${THREADS} threads: seed more of them with --videos.`)
    }
    const { id, threads } = video
    return compareRequests({ ...input, dataFolder }, [
      ...askBothWays(`first page of ${threads} threads, REST`, firstPages(id), goals),
      ...askBothWays(
        'the same, tRPC',
        {
          path: trpcPath('comment.list', { id }),
          vary: (turn) => ({
            path: trpcPath('comment.list', { id, cursor: cursorBeforeAll(turn) }),
          }),
        },
        goals,
      ),
    ])
  },
}

/** The first page of a video's comments, over REST. */
export function firstPages(id: number) {
  const path = `/api/videos/${id}/comments`
  return { path, vary: (turn: number) => ({ path: `${path}?cursor=${cursorBeforeAll(turn)}` }) }
}

type Discussed = { id: number; threads: number }

/** The videos with the most top comments, the most discussed first. */
export async function listMostDiscussed(dataFolder: string, limit: number): Promise<Discussed[]> {
  const db = openDatabaseToRead(dataFolder)
  const videos = await db
    .selectFrom('comments')
    .select((eb) => ['videoId as id', eb.fn.countAll<number>().as('threads')])
    .where('parentId', 'is', null)
    .where('videoId', 'is not', null)
    .$narrowType<{ id: NotNull }>()
    .groupBy('videoId')
    .orderBy('threads', 'desc')
    .limit(limit)
    .execute()
  await db.destroy()
  return videos
}

/** The most discussed video gets what it lacks of 500 threads, older than its own, from other videos. */
async function addThreads(dataFolder: string): Promise<void> {
  const [video] = await listMostDiscussed(dataFolder, 1)
  if (!video || video.threads >= THREADS) return
  const db = openDatabase(dataFolder)
  await db
    .insertInto('comments')
    .columns(['userId', 'content', 'createdAt', 'videoId'])
    .expression((eb) =>
      eb
        .selectFrom('comments')
        .select(['userId', 'content', 'createdAt'])
        .select((one) => one.val(video.id).as('videoId'))
        .where('parentId', 'is', null)
        .orderBy('id')
        .limit(THREADS - video.threads),
    )
    .execute()
  await db.destroy()
}
