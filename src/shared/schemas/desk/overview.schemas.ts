import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

const backupStateSchema = z.enum(['running', 'done', 'failed'])

/** When the disk, or what the store elsewhere may hold, will be full, as the last four weeks predict. */
const forecastSchema = z.discriminatedUnion('kind', [
  /** There is too little history. */
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('not-filling') }),
  /** The media are in a store elsewhere, for which no limit is set. */
  z.object({ kind: z.literal('unlimited') }),
  z.object({ kind: z.literal('filling'), weeks: z.number(), bytesPerWeek: z.number() }),
])
export type Forecast = z.infer<typeof forecastSchema>

/** Bytes by what they are for. */
const storageSchema = z.object({
  /** Files as they were uploaded, stored beside what plays. */
  originals: z.number(),
  /** The progressive files that play everywhere. */
  videos: z.number(),
  /** The adaptive stream. */
  renditions: z.number(),
  /** Posters, storyboards, captions. */
  pictures: z.number(),
  uploads: z.number(),
  database: z.number(),
  /** On the disk of this machine. */
  free: z.number(),
  disk: z.number(),
  /** Where the media are when they are not on that disk, and what they may take there. */
  elsewhere: z
    .object({
      store: z.string(),
      limit: z.number().nullable(),
      /** Bytes of copies of its files on the disk of this machine. */
      copies: z.number(),
      /** What is wrong with it at present, as a sentence. */
      problem: z.string().nullable(),
    })
    .nullable(),
})
export type Storage = z.infer<typeof storageSchema>

const waitingFields = {
  approvals: z.int(),
  openReports: z.int(),
  heldComments: z.int(),
}

/** What waits for an admin. */
export const waitingSchema = z.object({ ...waitingFields, failedJobs: z.int() })
export type Waiting = z.infer<typeof waitingSchema>

export const overviewSchema = z.object({
  members: z.int(),
  videos: z.int(),
  ...waitingFields,
  jobs: z.object({ queued: z.int(), running: z.int(), failed: z.int() }),
  storage: storageSchema,
  forecast: forecastSchema,
  lastBackup: z
    .object({
      state: backupStateSchema,
      startedAt: timestampSchema,
      finishedAt: timestampSchema.nullable(),
      error: z.string().nullable(),
    })
    .nullable(),
})
export type Overview = z.infer<typeof overviewSchema>

export const daysSchema = z.object({ days: z.literal([30, 90]).default(30) })

/** One row for every day up to today, in UTC; days without views are 0. */
export const viewsByDaySchema = z.array(z.object({ day: z.iso.date(), views: z.int() }))
