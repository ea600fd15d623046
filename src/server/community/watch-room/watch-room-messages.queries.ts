import type { Database } from '#server/platform/db/database.ts'
import { listOf, timeIn } from '#server/platform/db/expressions.ts'
import type { RoomMessage } from '#shared/schemas/watch-room.schemas.ts'
import { ROOM_MESSAGES_MAX } from '#shared/watch-rooms.ts'

function selectMessages(db: Database, roomId: number) {
  return db
    .selectFrom('watchRoomMessages')
    .innerJoin('users', 'users.id', 'watchRoomMessages.userId')
    .select(['watchRoomMessages.id', 'watchRoomMessages.content', 'watchRoomMessages.createdAt'])
    .select(['users.id as userId', 'users.username', 'users.displayName', 'users.avatarUrl'])
    .where('watchRoomMessages.roomId', '=', roomId)
    .where('users.bannedAt', 'is', null)
}

type Selection = Awaited<ReturnType<ReturnType<typeof selectMessages>['execute']>>[number]

const toMessage = ({ id, content, createdAt, userId, ...user }: Selection): RoomMessage => ({
  ...{ id, content, createdAt },
  user: { id: userId, ...user },
})

/** Returns the oldest message first. */
export async function listLastMessages(db: Database, roomId: number): Promise<RoomMessage[]> {
  const rows = await selectMessages(db, roomId)
    .orderBy('watchRoomMessages.id', 'desc')
    .limit(ROOM_MESSAGES_MAX)
    .execute()
  return rows.reverse().map(toMessage)
}

export async function listMessages(
  db: Database,
  { roomId, ids }: { roomId: number; ids: readonly number[] },
): Promise<RoomMessage[]> {
  const rows = await selectMessages(db, roomId)
    .where('watchRoomMessages.id', 'in', listOf(ids))
    .orderBy('watchRoomMessages.id')
    .execute()
  return rows.map(toMessage)
}

export async function insertMessage(
  db: Database,
  message: { roomId: number; userId: number; content: string },
): Promise<number> {
  const { id } = await db
    .insertInto('watchRoomMessages')
    .values({ ...message, createdAt: timeIn(0) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Keeps the newest 200. */
export async function deleteOldMessages(db: Database, roomId: number): Promise<void> {
  await db
    .deleteFrom('watchRoomMessages')
    .where('roomId', '=', roomId)
    .where('id', '<', (eb) =>
      eb
        .selectFrom('watchRoomMessages as kept')
        .select('kept.id')
        .where('kept.roomId', '=', roomId)
        .orderBy('kept.id', 'desc')
        .limit(1)
        .offset(ROOM_MESSAGES_MAX - 1),
    )
    .execute()
}
