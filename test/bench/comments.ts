import { openDatabaseToRead } from '#server/db/database.ts'
import type { Benchmark } from './benchmark.ts'
import { askBothWays, compareRequests, trpcPath } from './request-load.ts'
import { seededSite } from './seeded-site.ts'

const goals = { row: 'comments', rateGoal: 0.25 } as const

export const comments: Benchmark = {
  name: 'comments',
  title: 'The comments of a much discussed video',
  async run(input) {
    const { id, count } = await findMostDiscussed(await seededSite(input))
    return compareRequests(input, [
      ...askBothWays(`first page of ${count} comments, REST`, `/api/videos/${id}/comments`, goals),
      ...askBothWays('the same, tRPC', trpcPath('comment.list', { id }), goals),
    ])
  },
}

/** The video with the most comments. */
export async function findMostDiscussed(
  dataFolder: string,
): Promise<{ id: number; count: number }> {
  const db = openDatabaseToRead(dataFolder)
  const video = await db
    .selectFrom('comments')
    .select((eb) => ['videoId as id', eb.fn.countAll<number>().as('count')])
    .groupBy('videoId')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await db.destroy()
  return video
}
