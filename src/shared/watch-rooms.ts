export const ROOM_ROLES = ['host', 'steers', 'watches'] as const
export type RoomRole = (typeof ROOM_ROLES)[number]

/** Maximum number of members and guests in a room at the same time. */
export const ROOM_PEOPLE_MAX = 200
export const ROOM_ITEMS_MAX = 50
export const ROOM_MESSAGE_MAX = 500
/** Number of messages that are kept. */
export const ROOM_MESSAGES_MAX = 200
export const ROOM_RATES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const

export const DRAWING_TOOLS = ['pen', 'arrow'] as const
export type DrawingTool = (typeof DRAWING_TOOLS)[number]
/** Points of a drawing are whole numbers from 0 to this, in fractions of the picture. */
export const DRAWING_SCALE = 10_000
/** Keeps a drawing in a notification of PostgreSQL, which has at most 8000 bytes. */
export const DRAWING_POINTS_MAX = 200

/** The playback of a room, which all its pages follow. */
export type RoomPlayback = {
  /** Null when nothing is in the queue. */
  itemId: number | null
  /** Seconds in the video or clip at the time `at`. */
  position: number
  rate: number
  isPaused: boolean
  /** Milliseconds of the server's clock. */
  at: number
  /** Grows with every change. */
  version: number
}

/** @param now milliseconds of the server's clock */
export function positionAt(
  { position, rate, isPaused, at }: Omit<RoomPlayback, 'itemId' | 'version'>,
  now: number,
): number {
  return isPaused ? position : position + (Math.max(0, now - at) / 1000) * rate
}
