import type { Generated, Selectable } from 'kysely'
import type { Default } from './column.ts'

export interface JobsTable {
  id: Generated<number>
  /** `transcode`, `cut` and `montage` make a video playable, `ladder` all that comes after, `clip` the files of its clips. */
  kind: 'transcode' | 'ladder' | 'cut' | 'clip' | 'montage'
  videoId: number
  state: 'queued' | 'running' | 'done' | 'failed'
  /** Counts the times the job was taken; a result of an earlier attempt is dropped. */
  attempt: Default<number>
  failures: Default<number>
  interruptions: Default<number>
  percent: Default<number>
  /** What it is busy with, or `no-room` while it waits for room on the disk, `no-store` for the store. */
  step: string | null
  /** Seconds of video in a second. */
  speed: number | null
  secondsLeft: number | null
  error: string | null
  runAfter: string
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
  /** The machine that has it, or did it; null for the server itself. */
  workerId: number | null
  /** Until when it has it for certain; null for a server that has its database for itself. */
  leaseUntil: string | null
  /** The node that does it, or gave it to a worker; null for a server that has its database for itself. */
  nodeId: string | null
  /** The member in whose turn it was taken, for a job of clips of several members. */
  makerId: number | null
}

/** What happened to a job, for admins; the last lines only. */
export interface JobLogTable {
  id: Generated<number>
  jobId: number
  createdAt: string
  text: string
}

export type JobRow = Selectable<JobsTable>
