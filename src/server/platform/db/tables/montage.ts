import type { Flag } from './column.ts'

/** What a video is to be made of; gone once it is made. */
export interface MontagesTable {
  /** The row that it comes in. */
  videoId: number
  /** A JSON array of stretches of videos, in their order. */
  items: string
  transition: 'fade' | 'cut'
  titleCard: Flag
  createdAt: string
}
