import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/open.ts'

const NOW = '2026-01-02T03:04:05.000Z'

export type SmallSite = { members: number; videos: number; comments: number; likes: number }

/** Writes a data folder with rows and files of a site, as this version leaves it. */
export async function writeSmallSite(
  dataFolder: string,
  sizes: { members?: number; videos?: number } = {},
): Promise<SmallSite> {
  const { members = 4, videos = 12 } = sizes
  await mkdir(dataFolder, { recursive: true })
  const db = openDatabase(dataFolder)
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db)
  await migrateToLatest(db)
  for (let id = 1; id <= members; id++) {
    const name = `member-${id}`
    await run(sql`INSERT INTO users (id, username, password, email, displayName, isAdmin, createdAt)
      VALUES (${id}, ${name}, '-', ${`${name}@example.org`}, ${name}, ${id === 1 ? 1 : 0}, ${NOW})`)
  }
  for (let id = 1; id <= videos; id++) {
    const key = id.toString(16).padStart(32, '0')
    const folder = join(dataFolder, 'media', key)
    await mkdir(folder, { recursive: true })
    for (const name of ['video.mp4', 'poster.jpg']) {
      await writeFile(join(folder, name), `${name} of video ${id}`)
    }
    const owner = 1 + (id % members)
    await run(sql`INSERT INTO videos (id, userId, mediaKey, title, description, videoUrl, thumbnailUrl,
        duration, storageBytes, viewCount, likeCount, publishedAt, category, tags, processingState)
      VALUES (${id}, ${owner}, ${key}, ${`Ünder the clock, part ${id}`}, 'As it was', 
        ${`/media/${key}/video.mp4`}, ${`/media/${key}/poster.jpg`}, 61, 34, ${id}, 1, ${NOW},
        'FPS Games', '["old"]', 'ready')`)
    await run(sql`INSERT INTO likes (userId, videoId, isLike, createdAt)
      VALUES (${owner}, ${id}, 1, ${NOW})`)
    await run(sql`INSERT INTO comments (videoId, userId, content, createdAt)
      VALUES (${id}, ${owner}, ${`Comment on ${id}`}, ${NOW})`)
    await run(sql`INSERT INTO jobs (kind, videoId, state, attempt, runAfter, createdAt, finishedAt)
      VALUES ('transcode', ${id}, 'done', 1, ${NOW}, ${NOW}, ${NOW})`)
  }
  await run(
    sql`INSERT INTO subscriptions (subscriberId, channelId, subscribedAt) VALUES (1, 2, ${NOW})`,
  )
  await run(sql`UPDATE users SET subscriberCount = 1 WHERE id = 2`)
  await run(sql`INSERT INTO notifications (userId, type, title, message, sourceUserId, createdAt)
    VALUES (2, 'new_subscriber', 'New subscriber', 'member-1', 1, ${NOW})`)
  await db.destroy()
  return { members, videos, comments: videos, likes: videos }
}
