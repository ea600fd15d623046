import type { WatchRoomRow } from '#server/platform/db/tables/watch-room.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { RoomRole } from '#shared/watch-rooms.ts'

/** The address is the key: nobody guesses 128 bits. Visitors also need the host's consent. */
export function mayEnter(
  { allowsGuests }: Pick<WatchRoomRow, 'allowsGuests'>,
  viewer: Viewer | undefined,
): boolean {
  return viewer !== undefined || allowsGuests === 1
}

export function maySteer(role: RoomRole | undefined): boolean {
  return role === 'host' || role === 'steers'
}

/** @throws `forbidden` unless the member is the host, or the host lets them steer */
export function requireSteers(role: RoomRole | undefined): void {
  if (maySteer(role)) return
  throw new AppError('forbidden', 'Only the host and those whom the host lets may steer this room.')
}

/** @throws `forbidden` unless the member is the host */
export function requireHost(role: RoomRole | undefined): void {
  if (role === 'host') return
  throw new AppError('forbidden', 'Only the host of this room can do this.')
}
