import type { Generated } from 'kysely'
import type { Default, Flag } from './column.ts'

export interface PlaylistsTable {
  id: Generated<number>
  userId: number
  kind: 'list' | 'watch-later'
  title: string
  description: Default<string>
  isPublic: Default<Flag>
  createdAt: string
  updatedAt: string
}

export interface PlaylistItemsTable {
  playlistId: number
  videoId: number
  /** Ascending; gaps are fine. */
  position: number
  addedAt: string
}
