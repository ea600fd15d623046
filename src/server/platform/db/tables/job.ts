import type { Generated, Selectable } from 'kysely'
import type { Default } from './column.ts'

export interface JobsTable {
  id: Generated<number>
  /** `transcode`, `cut` and `montage` make a video playable, `ladder` adds the other files, `clip` those of its clips. */
  kind: 'transcode' | 'ladder' | 'cut' | 'clip' | 'montage'
  videoId: number
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Number of times the job was taken; results of earlier attempts are dropped. */
  attempt: Default<number>
  failures: Default<number>
  interruptions: Default<number>
  percent: Default<number>
  /** Current step, or `no-room` while it waits for disk space, `no-store` for the media store. */
  step: string | null
  /** Seconds of video per second. */
  speed: number | null
  secondsLeft: number | null
  error: string | null
  runAfter: string
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** The machine that runs or ran it; null for the server itself. */
  workerId: number | null
  /** Null on a server that does not share its database. */
  leaseUntil: string | null
  /** Node that runs it, or gave it to a worker; null on a server that does not share its database. */
  nodeId: string | null
  /** Member whose turn it is, for a job with clips of several members. */
  makerId: number | null
}

/** Events of jobs for admins; only the newest are kept. */
export interface JobLogTable {
  id: Generated<number>
  jobId: number
  createdAt: string
  text: string
}

export type JobRow = Selectable<JobsTable>
