import type { WatchRoomRow } from '#server/platform/db/tables/watch-room.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { RoomRole } from '#shared/watch-rooms.ts'

/**
 * The address is the key: nobody guesses 128 bits. Visitors also need the host's consent.
 * @throws `unauthenticated` for visitors, `forbidden` for a member whom the host has removed
 */
export function requireMayEnter(
  { allowsGuests }: Pick<WatchRoomRow, 'allowsGuests'>,
  { viewer, isRemoved }: { viewer: Viewer | undefined; isRemoved: boolean },
): void {
  if (isRemoved) throw new AppError('forbidden', 'The host has removed you from this room.')
  if (viewer || allowsGuests === 1) return
  throw new AppError(
    'unauthenticated',
    'The host lets only members into this room. Please sign in.',
  )
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
