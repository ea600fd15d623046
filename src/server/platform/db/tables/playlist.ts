import type { Generated } from 'kysely'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import type { Default } from './column.ts'

export interface PlaylistsTable {
  id: Generated<number>
  userId: number
  kind: 'list' | 'watch-later'
  title: string
  description: Default<string>
  visibility: Default<Visibility>
  createdAt: string
  updatedAt: string
}

export interface PlaylistItemsTable {
  playlistId: number
  videoId: number
  /** Ascending, with gaps. */
  position: number
  addedAt: string
}

/** Members who may see a private playlist. */
export interface PlaylistMembersTable {
  playlistId: number
  userId: number
}
