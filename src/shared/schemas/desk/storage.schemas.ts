import { z } from 'zod'
import { idSchema, pageInputSchema, timestampSchema } from '../../field.schemas.ts'
import { filterSchema } from './audit.schemas.ts'

export const JOB_LOG_LINES = 30

export const jobKindSchema = z.enum(['transcode', 'ladder', 'cut', 'clip', 'montage'])
const jobStateSchema = z.enum(['queued', 'running', 'done', 'failed'])

export const listJobsSchema = pageInputSchema.extend({
  state: jobStateSchema.optional(),
  q: filterSchema.optional(),
})

/** One piece of work on a video. */
export const jobSchema = z.object({
  id: z.int(),
  kind: jobKindSchema,
  state: jobStateSchema,
  percent: z.number(),
  step: z.string().nullable(),
  /** The worker that has it now; null for the server, and for nobody. */
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
  /** Only those whose original could go. */
  freeable: z.boolean().default(false),
})

/** What a video takes. */
export const storedVideoSchema = z.object({
  id: z.int(),
  title: z.string(),
  thumbnailUrl: z.string().nullable(),
  ownerName: z.string(),
  /** Everything in its folder. */
  storageBytes: z.number(),
  /** The file as it was uploaded; 0 when it is not stored. */
  originalBytes: z.number(),
  /** The original may go: what was made of it is complete and plays. */
  canFree: z.boolean(),
})
export type StoredVideo = z.infer<typeof storedVideoSchema>

export const freeableSchema = z.object({ videos: z.int(), bytes: z.number() })
/** What was freed, and whether there is more. */
export const freedSchema = freeableSchema.extend({ hasMore: z.boolean() })

export const problemSchema = z.object({
  kind: z.enum(['missing', 'orphaned', 'damaged', 'held']),
  text: z.string(),
})

/** What comparing the database with the files found. */
export const siteCheckSchema = z.object({
  id: z.int(),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  percent: z.number(),
  videos: z.int().nullable(),
  files: z.int().nullable(),
  problemCount: z.int().nullable(),
  /** The first ones. */
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
  /** Of the database and all media in it. */
  bytes: z.number().nullable(),
  files: z.int().nullable(),
  videos: z.int().nullable(),
  members: z.int().nullable(),
  error: z.string().nullable(),
  /** How it got on to the second place for backups; null where it was not to be sent. */
  sendState: z.enum(['sending', 'sent', 'failed']).nullable(),
  sendError: z.string().nullable(),
})
export type Backup = z.infer<typeof backupSchema>

/** A proof, or a failed one, that a backup can be restored. */
export const restoreDrillSchema = z.object({
  id: z.int(),
  state: z.enum(['running', 'done', 'failed']),
  startedAt: timestampSchema,
  finishedAt: timestampSchema.nullable(),
  backupName: z.string().nullable(),
  /** Fetched from the second place for backups. */
  isOffsite: z.boolean(),
  bytes: z.number().nullable(),
  files: z.int().nullable(),
  videos: z.int().nullable(),
  error: z.string().nullable(),
})
export type RestoreDrill = z.infer<typeof restoreDrillSchema>

/** Where backups go, and whether they can be restored. */
export const backupSafetySchema = z.object({
  /** Whether the site makes backups itself; a database on PostgreSQL is backed up where it is. */
  isMadeHere: z.boolean(),
  /** The store elsewhere whose media backups list, but do not hold; null where they hold all. */
  mediaStore: z.string().nullable(),
  /** The second place; null where none is set. */
  offsite: z.object({ target: z.string(), isEncrypted: z.boolean() }).nullable(),
  lastDrill: restoreDrillSchema.nullable(),
  /** The last drill that went well. */
  lastProof: restoreDrillSchema.nullable(),
})
export type BackupSafety = z.infer<typeof backupSafetySchema>
