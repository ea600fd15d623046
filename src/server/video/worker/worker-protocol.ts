import { z } from 'zod'
import { recorderSoundName } from '#shared/sound-tracks.ts'
import { JOB_KINDS } from '../job/job-kinds.ts'
import { hardwareEncoders } from '../processing/encode/encoder-name.ts'
import { cleanTitle } from '../processing/source/source-chapter.ts'

/** Site and workers have the same release, so it may change with each. */
export const PROTOCOL = 3

export const WORKER_CHUNK_BYTES = 4 * 1024 * 1024

const fileNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/, 'must be a file name')
const encoderSchema = z.enum(['libx264', ...hardwareEncoders])

/** Read first: the caller may be another release. */
export const protocolSchema = z.object({ protocol: z.int().default(0) })

export const helloSchema = z.object({
  version: z.string().max(50),
  encoder: encoderSchema,
})
export const welcomeSchema = z.object({ name: z.string(), leaseSeconds: z.number() })

export const claimSchema = z.object({
  kinds: z.array(z.enum(JOB_KINDS)).min(1),
  maxHeight: z.int().min(1).optional(),
})

const transcodeOrderSchema = z.object({
  kind: z.literal('transcode'),
  source: fileNameSchema,
  output: fileNameSchema,
  quickShortSide: z.number().optional(),
  encoder: encoderSchema,
})
const ladderOrderSchema = z.object({
  kind: z.literal('ladder'),
  source: fileNameSchema,
  playable: fileNameSchema,
  thumbnail: fileNameSchema.nullable(),
  heights: z.array(z.int()),
  shareBytesMax: z.int(),
  encoder: encoderSchema,
})

export const orderSchema = z.object({
  jobId: z.int(),
  attempt: z.int(),
  task: z.discriminatedUnion('kind', [transcodeOrderSchema, ladderOrderSchema]),
  inputs: z.array(z.object({ name: fileNameSchema, bytes: z.int() })),
})
export type Order = z.infer<typeof orderSchema>

/** Null after a poll without a job, or for a drained worker. */
export const claimedSchema = z.object({ order: orderSchema.nullable(), isDrained: z.boolean() })

export const jobParamsSchema = z.object({
  jobId: z.coerce.number().int().positive(),
  attempt: z.coerce.number().int().positive(),
})
export const fileParamsSchema = jobParamsSchema.extend({ name: z.string().min(1).max(300) })

/** Null for a heartbeat. */
export const progressSchema = z.object({
  progress: z
    .object({
      percent: z.number().min(0).max(100),
      stage: z.enum(['reading', 'encoding', 'storyboard', 'sharing']),
      doneSeconds: z.number().min(0),
    })
    .optional(),
})

export const offsetSchema = z.object({
  offset: z.coerce.number().int().min(0).multipleOf(WORKER_CHUNK_BYTES),
})
export const receivedPiecesSchema = z.object({ offsets: z.array(z.int()) })

/** `returned` was not tried; `no-room` may fit another worker. */
export const failureSchema = z.object({
  reason: z.enum(['failed', 'out-of-memory', 'unplayable', 'returned', 'no-room']),
  diagnostics: z.string().max(20_000).default(''),
})
export type Failure = z.infer<typeof failureSchema>

const sizeSchema = z.int().min(1).max(16_384)
const secondsSchema = z.number().min(0).max(1_000_000)
/** See `readLanguage`, `recorderSoundName` and `cleanTitle`. */
const languageSchema = z
  .string()
  .regex(/^[a-z]{2,3}$/)
  .nullable()
const soundNameSchema = z
  .string()
  .max(40)
  .refine((name) => recorderSoundName(name) === name)
  .nullable()
const titleSchema = z.string().max(200).nullable().transform(cleanTitle)

export const transcodeResultSchema = z.strictObject({
  durationSeconds: secondsSchema,
  width: sizeSchema,
  height: sizeSchema,
  copied: z.boolean(),
})

export const ladderResultSchema = z.strictObject({
  durationSeconds: secondsSchema,
  width: sizeSchema,
  height: sizeSchema,
  renditions: z
    .array(
      z.strictObject({
        name: z.int().min(1).max(16_384),
        width: sizeSchema,
        height: sizeSchema,
        bandwidth: z.number().min(0),
        averageBandwidth: z.number().min(0),
        codecs: z.string().regex(/^[\w.,]{1,100}$/),
        frameRate: z.number().min(0).max(1000),
        file: fileNameSchema,
        playlistFile: fileNameSchema,
        copied: z.boolean(),
      }),
    )
    .min(1)
    .max(20),
  soundLanguage: languageSchema,
  soundTracks: z.array(z.strictObject({ file: fileNameSchema, language: languageSchema })).max(64),
  soundNames: z.array(soundNameSchema).max(64),
  loudnessLufs: z.number().nullable(),
  moments: z
    .array(
      z.strictObject({
        source: z.enum(['chapter', 'loud', 'scene']),
        atSeconds: secondsSchema,
        weight: z.number().min(0).max(1),
        title: titleSchema,
      }),
    )
    .max(1000),
  masterFile: z.literal('hls.m3u8'),
  progressiveFile: z.literal('video.mp4').nullable(),
  share: z.enum(['best', 'playable', 'file']).nullable(),
  storyboardFile: fileNameSchema.nullable(),
  cardFile: fileNameSchema.nullable(),
  preview: z.base64().max(1000).nullable(),
  files: z
    .array(
      z.strictObject({
        name: fileNameSchema,
        kind: z.enum(['video', 'rendition', 'playlist', 'sound', 'picture', 'storyboard', 'share']),
        bytes: z.int().min(1),
      }),
    )
    .max(300),
})
