import type { Flag } from './column.ts'

/** The parts of a video to be made from others; deleted when it is made. */
export interface MontagesTable {
  videoId: number
  /** A JSON array of ranges of videos, in order. */
  items: string
  transition: 'fade' | 'cut'
  titleCard: Flag
  createdAt: string
}
