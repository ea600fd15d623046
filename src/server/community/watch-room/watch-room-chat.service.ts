import { type Database, writeQuietly } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import type { LiveFeed } from '#server/platform/events/live-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { ReactionKind } from '#shared/reactions.ts'
import type { Drawing, SayInRoom } from '#shared/schemas/watch-room.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import { postComment } from '../comment/comment.service.ts'
import { needsReview } from '../writing/review.ts'
import { findRoomPlayback, listItems } from './watch-room.queries.ts'
import { requireRoom } from './watch-room.service.ts'
import { deleteOldMessages, insertMessage } from './watch-room-messages.queries.ts'

type Services = { db: Database; live: LiveFeed }
type Act = { token: string; viewer: Viewer }

/**
 * With `commentAt` the message is also posted as a comment, by the rules of comments.
 * @throws `forbidden` for a text that the site reviews, which a chat cannot wait for
 */
export async function sayInRoom(
  { db, live, limits }: Pick<AppDeps, 'db' | 'live' | 'limits'>,
  input: SayInRoom & { viewer: Viewer },
): Promise<void> {
  const { content, commentAt, viewer } = input
  const roomId = await requirePresent(db, input)
  await limits.roomMessages.count(String(viewer.id))
  if (await needsReview(db, { userId: viewer.id, content, isTrusted: viewer.isAdmin })) {
    throw new AppError(
      'forbidden',
      'This site reviews such texts first. Please write it as a comment.',
    )
  }
  if (commentAt !== undefined) await postAsComment({ db, live }, { ...input, roomId, commentAt })
  const id = await writeQuietly(db, async (transaction) => {
    const id = await insertMessage(transaction, { roomId, userId: viewer.id, content })
    await deleteOldMessages(transaction, roomId)
    return id
  })
  live.rooms.announceMessage(roomId, id)
}

async function postAsComment(
  services: Services,
  input: { roomId: number; content: string; commentAt: number; viewer: Viewer },
): Promise<void> {
  const { roomId, content, commentAt, viewer } = input
  const { db } = services
  const itemId = (await findRoomPlayback(db, roomId))?.playback.itemId
  const item = (await listItems(db, roomId)).find(({ id }) => id === itemId)
  if (!item) throw new AppError('conflict', 'Nothing plays here that could have a comment.')
  const { videoId, clipId } = item
  await postComment(services, {
    ...{ videoId, clipId, viewer },
    content: `${formatDuration(commentAt)} ${content}`,
  })
}

/** Shows it to everybody in the room without storing it. */
export async function reactInRoom(
  { db, live }: Services,
  { kind, ...act }: Act & { kind: ReactionKind },
): Promise<void> {
  live.rooms.announceReaction(await requirePresent(db, act), kind)
}

/** Shows it to everybody in the room without storing it. */
export async function drawInRoom(
  { db, live }: Services,
  { drawing, ...act }: Act & { drawing: Drawing },
): Promise<void> {
  live.rooms.announceDrawing(await requirePresent(db, act), drawing)
}

/** @throws `forbidden` for a member who has not opened the room */
async function requirePresent(db: Database, act: Act): Promise<number> {
  const { room, role } = await requireRoom(db, act)
  if (role) return room.id
  throw new AppError('forbidden', 'Open the room first.')
}
