import { type Database, timestamp } from '#server/platform/db/database.ts'
import { addRow, addRows } from './rows.ts'

let fans = 0

/** New members who never sign in. */
export async function addSubscribers(
  db: Database,
  { channelId, count }: { channelId: number; count: number },
): Promise<void> {
  const createdAt = timestamp()
  const ids: number[] = []
  for (let at = 0; at < count; at++) {
    const name = `fan${++fans}`
    const row = { username: name, email: `${name}@example.org`, displayName: name }
    ids.push(await addRow(db, 'users', { ...row, password: '-', createdAt }))
  }
  const row = { channelId, subscribedAt: createdAt }
  await addRows(
    db,
    'subscriptions',
    ids.map((subscriberId) => ({ ...row, subscriberId })),
  )
}

export async function addComments(
  db: Database,
  input: { videoId: number; userId: number; count: number; parentId?: number },
): Promise<void> {
  const { count, ...place } = input
  const row = { ...place, createdAt: timestamp() }
  await addRows(
    db,
    'comments',
    Array.from({ length: count }, (_, at) => ({ ...row, content: `Comment ${at}` })),
  )
}
