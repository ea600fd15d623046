import { z } from 'zod'
import { idSchema, pageInputSchema, timestampSchema } from '../../field.schemas.ts'
import { filterSchema } from './audit.schemas.ts'

export const JOB_LOG_LINES = 30

export const jobKindSchema = z.enum([
  'transcode',
  'ladder',
  'cut',
  'clip',
  'montage',
  'align',
  'mix',
])
const jobStateSchema = z.enum(['queued', 'running', 'done', 'failed'])

export const listJobsSchema = pageInputSchema.extend({
  state: jobStateSchema.optional(),
  q: filterSchema.optional(),
})

export const jobSchema = z.object({
  id: z.int(),
  kind: jobKindSchema,
  state: jobStateSchema,
  percent: z.number(),
  step: z.string().nullable(),
  /** Null for the server or a waiting job. */
  workerName: z.string().nullable(),
  secondsLeft: z.number().nullable(),
  attempt: z.int(),
  failures: z.int(),
  error: z.string().nullable(),
  createdAt: timestampSchema,
  startedAt: timestampSchema.nullable(),
  finishedAt: timestampSchema.nullable(),
  video: z.object({ id: z.int(), title: z.string(), thumbnailUrl: z.string().nullable() }),
  ownerName: z.string(),
})
export type Job = z.infer<typeof jobSchema>

export const jobIdSchema = z.object({ id: idSchema })
export const jobLogSchema = z.array(z.object({ createdAt: timestampSchema, text: z.string() }))

export const listStoredVideosSchema = pageInputSchema.extend({
  q: filterSchema.optional(),
  /** Only videos whose original may be deleted. */
  freeable: z.boolean().default(false),
})

export const storedVideoSchema = z.object({
  id: z.int(),
  title: z.string(),
  thumbnailUrl: z.string().nullable(),
  ownerName: z.string(),
  storageBytes: z.number(),
  /** 0 when not stored. */
  originalBytes: z.number(),
  /** True when everything made of the original is complete. */
  canFree: z.boolean(),
})
export type StoredVideo = z.infer<typeof storedVideoSchema>

export const freeableSchema = z.object({ videos: z.int(), bytes: z.number() })
/** `hasMore`: call again. */
export const freedSchema = freeableSchema.extend({ hasMore: z.boolean() })

export const problemSchema = z.object({
  kind: z.enum(['missing', 'orphaned', 'damaged', 'held']),
  text: z.string(),
})

export const siteCheckSchema = z.object({
  id: z.int(),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  percent: z.number(),
  videos: z.int().nullable(),
  files: z.int().nullable(),
  problemCount: z.int().nullable(),
  problems: z.array(problemSchema),
  error: z.string().nullable(),
})
export type SiteCheck = z.infer<typeof siteCheckSchema>

export const backupSchema = z.object({
  id: z.int(),
  name: z.string(),
  cause: z.enum(['asked', 'nightly']),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  /** Database and contained media. */
  bytes: z.number().nullable(),
  files: z.int().nullable(),
  videos: z.int().nullable(),
  members: z.int().nullable(),
  error: z.string().nullable(),
  sendState: z.enum(['sending', 'sent', 'failed']).nullable(),
  sendError: z.string().nullable(),
})
export type Backup = z.infer<typeof backupSchema>

export const restoreDrillSchema = z.object({
  id: z.int(),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  backupName: z.string().nullable(),
  isOffsite: z.boolean(),
  bytes: z.number().nullable(),
  files: z.int().nullable(),
  videos: z.int().nullable(),
  error: z.string().nullable(),
})
export type RestoreDrill = z.infer<typeof restoreDrillSchema>

export const backupSafetySchema = z.object({
  /** PostgreSQL is backed up by its own tools. */
  isMadeHere: z.boolean(),
  /** Backups only list the media of this store. */
  mediaStore: z.string().nullable(),
  offsite: z.object({ target: z.string(), isEncrypted: z.boolean() }).nullable(),
  lastDrill: restoreDrillSchema.nullable(),
  lastProof: restoreDrillSchema.nullable(),
})
export type BackupSafety = z.infer<typeof backupSafetySchema>
