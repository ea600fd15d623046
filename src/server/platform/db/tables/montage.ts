import type { Flag } from './column.ts'

/** Deleted when the video is made. */
export interface MontagesTable {
  videoId: number
  /** A JSON array of ranges of videos, in order. */
  items: string
  transition: 'fade' | 'cut'
  titleCard: Flag
  createdAt: string
}
