import { requireNamedMembers } from '#server/account/user/user.service.ts'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import type { NamedMember, SetNamedMembers } from '#shared/schemas/visibility.schemas.ts'
import { requireChangeablePlaylist } from './playlist.service.ts'
import { listPlaylistMembers, replacePlaylistMembers } from './playlist-members.queries.ts'

/** @throws `invalid` for 'Watch later' */
export async function readPlaylistMembers(
  db: Database,
  input: { id: number; viewer: Viewer },
): Promise<NamedMember[]> {
  await requireChangeablePlaylist(db, input)
  return listPlaylistMembers(db, input.id)
}

/**
 * Sets who may see a private playlist.
 * @throws `invalid` for 'Watch later' and unknown members
 */
export async function setPlaylistMembers(
  db: Database,
  input: SetNamedMembers & { viewer: Viewer },
): Promise<NamedMember[]> {
  const { id, viewer } = input
  await requireChangeablePlaylist(db, { id, viewer })
  await inTransaction(db, async (transaction) => {
    const now = await listPlaylistMembers(transaction, id)
    const userIds = await requireNamedMembers(transaction, { ...input, now })
    await replacePlaylistMembers(transaction, { playlistId: id, userIds })
  })
  return listPlaylistMembers(db, id)
}
