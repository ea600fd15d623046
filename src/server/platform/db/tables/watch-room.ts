import type { Generated, Selectable } from 'kysely'
import type { RoomRole } from '#shared/watch-rooms.ts'
import type { Default, Flag } from './column.ts'

export interface WatchRoomsTable {
  id: Generated<number>
  /** 128 bits in base64url. */
  token: string
  /** What plays. Null when nothing is in the queue. */
  itemId: number | null
  /** Seconds at the time `at`. */
  position: number
  rate: Default<number>
  isPaused: Flag
  /** Milliseconds of the database's clock. */
  at: number
  /** Grows with every change of what plays. */
  version: Default<number>
  allowsGuests: Default<Flag>
  createdAt: string
  /** The last time that somebody was in the room. */
  lastSeenAt: string
}

export interface WatchRoomItemsTable {
  id: Generated<number>
  roomId: number
  /** Grows along the queue. */
  place: number
  videoId: number
  /** Null for the whole video. */
  clipId: number | null
  /** If set, the item is this squad view, of which `videoId` is the first recording. */
  squadViewId: number | null
  addedBy: number | null
}

/** Members keep their role when they leave. The rows of guests are deleted. */
export interface WatchRoomMembersTable {
  id: Generated<number>
  roomId: number
  userId: number | null
  /** Set for visitors. */
  guestKey: string | null
  role: RoomRole
  isHere: Flag
  seenAt: string
  joinedAt: string
  /** Set while the member may not enter. */
  removedAt: Default<string | null>
}

export interface WatchRoomMessagesTable {
  id: Generated<number>
  roomId: number
  userId: number
  content: string
  createdAt: string
}

export type WatchRoomRow = Selectable<WatchRoomsTable>
