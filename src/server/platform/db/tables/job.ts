import type { Generated, Selectable } from 'kysely'
import type { Default } from './column.ts'

export interface JobsTable {
  id: Generated<number>
  /**
   * `transcode`, `cut` and `montage` make a video playable, `ladder` the other files, `clip` those
   * of clips, `mix` those with its owner's mix of the sound. `align` places the recordings of a
   * squad view.
   */
  kind: 'transcode' | 'ladder' | 'cut' | 'clip' | 'montage' | 'align' | 'mix'
  videoId: number
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Earlier attempts' results are dropped. */
  attempt: Default<number>
  failures: Default<number>
  interruptions: Default<number>
  percent: Default<number>
  /** `no-room` waits for disk space, `no-store` for the media store. */
  step: string | null
  /** Seconds of video per second. */
  speed: number | null
  secondsLeft: number | null
  error: string | null
  runAfter: string
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** Null for the server itself. */
  workerId: number | null
  /** Null without several nodes. */
  leaseUntil: string | null
  /** Node that runs it or gave it to a worker; null without several nodes. */
  nodeId: string | null
  makerId: number | null
}

/** Only the newest are kept. */
export interface JobLogTable {
  id: Generated<number>
  jobId: number
  createdAt: string
  text: string
}

export type JobRow = Selectable<JobsTable>
