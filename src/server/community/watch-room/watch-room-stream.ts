import { findViewer } from '#server/account/auth/lucia.ts'
import type { Context } from '#server/platform/context.ts'
import { writeQuietly } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Presence, RoomNews } from '#server/platform/events/room-feed.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { videoIsVisible } from '#server/video/video/video.queries.ts'
import type { ReactionKind } from '#shared/reactions.ts'
import type { Drawing, RoomMessage, RoomPerson } from '#shared/schemas/watch-room.schemas.ts'
import { ROOM_PEOPLE_MAX, type RoomPlayback } from '#shared/watch-rooms.ts'
import { findRoomPlayback, updateRoomSeen } from './watch-room.queries.ts'
import { requireRoom } from './watch-room.service.ts'
import {
  countGuests,
  countOthers,
  listPeople,
  updateGone,
  updateLeft,
  updateSeen,
  upsertPresent,
} from './watch-room-members.queries.ts'
import { listLastMessages, listMessages } from './watch-room-messages.queries.ts'
import { replaceHost } from './watch-room-roles.service.ts'

/** Interval at which a node reports its people, and each stream checks that its viewer may stay. */
const BEAT_MS = 20_000
/** An event within this time after a check is sent without another check. */
const CHECKED_MS = 2000
/** How often somebody who is missing from the list is entered again. */
const ENTERED_MS = 2000
/** Maximum number of events that are kept for a page that reads slowly. Beyond it the page gets the whole state again. */
const NEWS_MAX = 50

export type RoomChange = {
  playback?: RoomPlayback
  people?: RoomPerson[]
  guests?: number
  messages?: RoomMessage[]
  reactions?: readonly ReactionKind[]
  drawings?: readonly Drawing[]
  /** Names what the page has to read again. The queue differs by viewer. */
  changed?: ('queue' | 'room')[]
}

const EVERYTHING: RoomNews = {
  changed: ['playback', 'people', 'room'],
  messages: [],
  reactions: [],
  drawings: [],
}

type Reading = Promise<{ change: RoomChange; videoId: number | null | undefined }>

/** Reads the news of a room once for all streams of the node. */
const readings = new WeakMap<RoomNews, Reading>()

function readNews(ctx: Context, roomId: number, news: RoomNews): Reading {
  const known = readings.get(news)
  if (known) return known
  const reading = read(ctx, roomId, news)
  readings.set(news, reading)
  return reading
}

async function read({ db }: Context, roomId: number, news: RoomNews): Reading {
  const { changed, messages, reactions, drawings } = news
  const topics = changed.filter((topic) => topic === 'queue' || topic === 'room')
  const found = changed.includes('playback') ? await findRoomPlayback(db, roomId) : undefined
  const change: RoomChange = {
    ...(found && { playback: found.playback }),
    ...(changed.includes('people') && {
      people: await listPeople(db, roomId),
      guests: await countGuests(db, roomId),
    }),
    ...(messages.length > 0 && { messages: await listMessages(db, { roomId, ids: messages }) }),
    ...(changed.includes('room') && { messages: await listLastMessages(db, roomId) }),
    ...(reactions.length > 0 && { reactions }),
    ...(drawings.length > 0 && { drawings }),
    ...(topics.length > 0 && { changed: topics }),
  }
  return { change, videoId: found?.videoId }
}

/**
 * Streams what happens in a room to somebody who is in it for as long. The first event has all.
 * @throws `conflict` for a full room, and as `requireRoom`
 */
export async function followRoom(
  ctx: Context,
  { token, signal }: { token: string; signal: AbortSignal | undefined },
): Promise<AsyncGenerator<RoomChange>> {
  const { db, live, viewer } = ctx
  const { room } = await requireRoom(db, { token, viewer })
  const roomId = room.id
  const { key, network = key } = await ctx.viewers.keyOf(ctx)
  if (!viewer && !live.rooms.hasRoomFor(network)) {
    throw new AppError('too-many', 'Too many pages of rooms are open at your address.')
  }
  const presence: Presence = viewer ? { userId: viewer.id } : { guestKey: key }
  if ((await countOthers(db, { roomId, ...presence })) >= ROOM_PEOPLE_MAX) {
    throw new AppError('conflict', `This room is full. It has ${ROOM_PEOPLE_MAX} people.`)
  }
  return streamRoom(ctx, { roomId, key, network, presence, token, signal })
}

async function* streamRoom(
  ctx: Context,
  input: {
    roomId: number
    key: string
    network: string
    presence: Presence
    token: string
    signal: AbortSignal | undefined
  },
): AsyncGenerator<RoomChange> {
  const { db, live, viewer } = ctx
  const { roomId, key, network, presence, token, signal } = input
  let wake = () => {}
  let checkedAt = performance.now()
  let mustCheck = false
  let news: RoomNews[] = [EVERYTHING]
  let videoId: number | null | undefined
  let isVisible: boolean | undefined
  let stopHearing = () => {}
  const over = new AbortController()
  const { ended, isFirst } = live.rooms.listen(roomId, {
    ...{ key, network, presence },
    signal: AbortSignal.any([ctx.closing, over.signal, ...(signal ? [signal] : [])]),
    listener: (one) => {
      news = news.length < NEWS_MAX ? [...news, one] : [{ ...EVERYTHING }]
      mustCheck ||= one.changed.includes('room')
      wake()
    },
  })
  ended.addEventListener('abort', () => wake(), { once: true })
  const beat = () => {
    mustCheck = true
    wake()
    if (isFirst()) void keepRoom(ctx, roomId).catch((error) => ctx.log.warn({ err: error }))
  }
  const beats = setInterval(beat, BEAT_MS)
  try {
    await enterRoom(ctx, roomId, presence)
    let enteredAt = Number.NEGATIVE_INFINITY
    while (!ended.aborted) {
      const hasNews = news.length > 0
      if (mustCheck || (hasNews && performance.now() - checkedAt > CHECKED_MS)) {
        mustCheck = false
        const now = await findStaying(ctx, token)
        if (!now) throw new DOMException('The room is over for this page.', 'AbortError')
        checkedAt = performance.now()
        // The page now reads the queue as the viewer may see it.
        const sees = videoId != null && (await videoIsVisible(db, { id: videoId, ...now }))
        if (isVisible !== undefined && sees !== isVisible) yield { changed: ['queue'] }
        isVisible = videoId == null ? undefined : sees
      } else if (hasNews) {
        const [one = EVERYTHING, ...rest] = news
        news = rest
        // The first event of a stream is read from the database, because no news of the feed has it.
        const reading = readNews(ctx, roomId, one === EVERYTHING ? { ...EVERYTHING } : one)
        const { change, videoId: playing } = await reading
        const isListed = change.people?.some(({ id }) => id === viewer?.id) ?? true
        if (viewer && !isListed && performance.now() - enteredAt > ENTERED_MS) {
          // A stream that the same person had on another node has ended after this one began.
          enteredAt = performance.now()
          await enterRoom(ctx, roomId, presence)
        }
        if (playing !== undefined && playing !== videoId) {
          videoId = playing
          isVisible = undefined
          stopHearing()
          stopHearing = playing === null ? () => {} : hearAccess(ctx, playing, beatNow)
        }
        if (Object.keys(change).length > 0) yield change
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    clearInterval(beats)
    stopHearing()
    over.abort()
    await exitRoom(ctx, roomId, presence)
  }

  function beatNow(): void {
    news = [...news, { ...EVERYTHING, changed: ['queue'] }]
    mustCheck = true
    wake()
  }
}

/** Calls `act` when the right to watch the video may have changed. */
function hearAccess({ live }: Context, videoId: number, act: () => void): () => void {
  return live.videos.hear(videoId, ({ changed }) => {
    if (changed.includes('access')) act()
  })
}

/** The viewer as of now, or undefined when they may not stay. */
async function findStaying(
  { db, sessions, session }: Context,
  token: string,
): Promise<{ viewer: Viewer | undefined } | undefined> {
  const viewer = session && (await findViewer(sessions, session.id))
  if (session && !viewer) return undefined
  try {
    await requireRoom(db, { token, viewer })
    return { viewer }
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function enterRoom({ db, live }: Context, roomId: number, presence: Presence) {
  await writeQuietly(db, async (transaction) => {
    await upsertPresent(transaction, { roomId, role: 'watches', ...presence })
    await updateRoomSeen(transaction, roomId)
  })
  live.rooms.announce(roomId, 'people')
}

/** The room may be over, or another page of the same person still open. */
async function exitRoom(ctx: Context, roomId: number, presence: Presence): Promise<void> {
  const { db, live } = ctx
  const isSame = (other: Presence) => JSON.stringify(other) === JSON.stringify(presence)
  if (live.rooms.present(roomId).some(isSame)) return
  try {
    await writeQuietly(db, async (transaction) => {
      await updateLeft(transaction, { roomId, ...presence })
      await updateRoomSeen(transaction, roomId)
    })
    live.rooms.announce(roomId, 'people')
  } catch (error) {
    // They count as gone when the node has not named them for a while.
    if (!ctx.closing.aborted)
      ctx.log.warn({ err: error }, 'somebody who left a room is still in it')
  }
}

/** Says who is in the room on this node, and lets those go of whom no node has said so. */
async function keepRoom({ db, live }: Context, roomId: number): Promise<void> {
  const present = live.rooms.present(roomId)
  const userIds = present.flatMap((one) => ('userId' in one ? one.userId : []))
  const guestKeys = present.flatMap((one) => ('guestKey' in one ? one.guestKey : []))
  const gone = await writeQuietly(db, async (transaction) => {
    await updateSeen(transaction, { roomId, userIds, guestKeys })
    await updateRoomSeen(transaction, roomId)
    return updateGone(transaction, roomId)
  })
  const hasNewHost = await replaceHost(db, roomId)
  if (gone > 0 || hasNewHost) live.rooms.announce(roomId, 'people')
}
