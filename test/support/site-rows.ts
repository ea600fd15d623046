import { type Database, timestamp } from '#server/platform/db/database.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { addRow } from './rows.ts'

const MINUTE_MS = 60_000
let keys = 0

/** Writes into the database of a running server. */
export async function writeRows<Result>(
  server: { dataFolder: string },
  write: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase(server.dataFolder)
  try {
    return await write(db)
  } finally {
    await db.destroy()
  }
}

/** A member who never signs in. @returns the id */
export async function addMember(db: Database, displayName: string): Promise<number> {
  const username = displayName.toLowerCase().replaceAll(' ', '')
  const id = await addRow(db, 'users', {
    username,
    password: 'no password matches this',
    email: `${username}@example.org`,
    displayName,
    createdAt: timestamp(),
  })
  return id
}

/** Videos that everybody may see, without files; each a minute older than the one before. @returns their ids */
export async function addVideos(
  db: Database,
  videos: (Pick<NewVideoRow, 'userId' | 'title'> & Partial<NewVideoRow>)[],
): Promise<number[]> {
  const ids: number[] = []
  for (const [index, video] of videos.entries()) {
    const id = await addRow(db, 'videos', {
      mediaKey: (++keys).toString(16).padStart(32, '0'),
      publishedAt: timestamp(new Date(Date.now() - (index + 1) * MINUTE_MS)),
      processingState: 'ready',
      ...video,
    })
    ids.push(id)
  }
  return ids
}
