import { z } from 'zod'
import { timestampSchema } from '../../field.schemas.ts'

const backupStateSchema = z.enum(['running', 'done', 'failed'])

/** By the last four weeks. */
const forecastSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('not-filling') }),
  z.object({ kind: z.literal('unlimited') }),
  z.object({ kind: z.literal('filling'), weeks: z.number(), bytesPerWeek: z.number() }),
])
export type Forecast = z.infer<typeof forecastSchema>

const storageSchema = z.object({
  /** Uploaded files kept beside what plays. */
  originals: z.number(),
  videos: z.number(),
  renditions: z.number(),
  pictures: z.number(),
  uploads: z.number(),
  database: z.number(),
  free: z.number(),
  disk: z.number(),
  /** A remote store, and its limit. */
  elsewhere: z
    .object({
      store: z.string(),
      limit: z.number().nullable(),
      copies: z.number(),
      /** Current outage, as a sentence. */
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

const waitingCountsSchema = z.object({
  ...waitingFields,
  failedJobs: z.int(),
  pausedWebhooks: z.int(),
})
export type WaitingCounts = z.infer<typeof waitingCountsSchema>

export const waitingSchema = waitingCountsSchema.extend({
  isDiskFull: z.boolean(),
  /** A release that is newer than the running version. */
  newVersion: z.string().nullable(),
})
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
  /** Sentences about stores and workers on other machines that are reached over plain HTTP. */
  plainConnections: z.array(z.string()),
})
export type Overview = z.infer<typeof overviewSchema>

export const daysSchema = z.object({ days: z.literal([30, 90]).default(30) })

/** UTC, oldest first, without gaps. */
export const viewsByDaySchema = z.array(z.object({ day: z.iso.date(), views: z.int() }))
