import type { Generated } from 'kysely'

export interface SquadViewsTable {
  id: Generated<number>
  createdAt: string
}

/** A video is `in` one squad view at most. */
export interface SquadViewVideosTable {
  squadViewId: number
  videoId: number
  /** `asked` waits for the owner of the video, `offered` for the owner of one that is `in`. */
  state: 'in' | 'asked' | 'offered' | 'declined'
  /** `waiting` for the comparison of sounds, which found it a place or `none`. */
  alignment: 'waiting' | 'sound' | 'hand' | 'none'
  /** The second of the match at which the recording begins. It is set for `sound` and `hand`. */
  offsetSeconds: number | null
  /** The recording that the place is of. */
  mediaKey: string
}
