import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../../field.schemas.ts'
import { jobKindSchema } from './storage.schemas.ts'

export const WORKERS_MAX = 50
const WORKER_NAME_MAX = 50

export const createWorkerSchema = z.object({
  name: lineSchema.refine((name) => name.length > 0 && name.length <= WORKER_NAME_MAX, {
    error: `Name must be 1 to ${WORKER_NAME_MAX} characters.`,
  }),
})

export const workerIdSchema = z.object({ id: idSchema })
export const drainWorkerSchema = workerIdSchema.extend({ drained: z.boolean() })

export const workerSchema = z.object({
  id: z.int(),
  name: z.string(),
  createdAt: timestampSchema,
  createdByName: z.string().nullable(),
  /** Null before its first contact. */
  lastSeenAt: timestampSchema.nullable(),
  isHere: z.boolean(),
  version: z.string().nullable(),
  /** FFmpeg's name. */
  encoder: z.string().nullable(),
  drainedAt: timestampSchema.nullable(),
  jobsRunning: z.int(),
  jobsDone: z.int(),
  jobsFailed: z.int(),
  /** Recent seconds of video per second. */
  speeds: z.array(z.object({ kind: jobKindSchema, speed: z.number() })),
  lastError: z.string().nullable(),
  lastErrorAt: timestampSchema.nullable(),
})
export type Worker = z.infer<typeof workerSchema>

export const workersSchema = z.object({
  serverPrepares: z.boolean(),
  workers: z.array(workerSchema),
})

/** The only answer with the token. */
export const createdWorkerSchema = z.object({ id: z.int(), name: z.string(), token: z.string() })
