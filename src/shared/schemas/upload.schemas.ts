import { z } from 'zod'
import { idSchema, timestampSchema, wasSchema } from '../field.schemas.ts'
import { FILE_NAME_MAX, MAX_COMPARED_FILES, PARTICIPANTS_MAX } from '../limits.ts'
import { sampledChunks } from '../sampled-chunks.ts'
import { shownFileName } from '../text/file-name.ts'
import { tagsSchema, videoDetailsSchema } from './video.schemas.ts'
import { namedMemberSchema, visibilitySchema } from './visibility.schemas.ts'

const FOLDER_MAX = 500

/** 128 random bits, hexadecimal. */
export const uploadIdSchema = z.string().regex(/^[0-9a-f]{32}$/, 'is not an upload id')

export const uploadDetailsSchema = videoDetailsSchema.extend({
  /** Notified once the video exists. */
  participants: z
    .array(idSchema)
    .max(PARTICIPANTS_MAX, `A video names at most ${PARTICIPANTS_MAX} members.`)
    .nullish()
    .transform((ids) => [...new Set(ids)]),
})
export type UploadDetails = z.infer<typeof uploadDetailsSchema>

const fileNameSchema = z
  .string()
  .refine((name) => name.trim() !== '' && name.trim().length <= FILE_NAME_MAX, {
    error: `File name must be 1 to ${FILE_NAME_MAX} characters.`,
  })
  .transform(shownFileName)

export const initializeUploadSchema = z.object({
  fileName: fileNameSchema,
  fileSize: z
    .number({ error: 'must be a whole number of bytes' })
    .int('must be a whole number of bytes')
    .min(1, 'The file is empty.'),
  fileType: z.string().max(255).nullish(),
  metadata: uploadDetailsSchema,
  resumeUploadId: uploadIdSchema.nullish(),
  /** Own video whose recording is replaced once this plays. */
  replacesVideoId: idSchema.nullish(),
})
export type InitializeUpload = z.infer<typeof initializeUploadSchema>

export const openUploadSchema = z.object({
  uploadId: uploadIdSchema,
  chunkSize: z.int(),
  /** Ascending. */
  received: z.array(z.int()),
  resumed: z.boolean(),
})
export type OpenUpload = z.infer<typeof openUploadSchema>

export const suggestUploadDetailsSchema = z.object({
  fileName: fileNameSchema,
  /** Names of folders from the outermost inwards, separated by `/`. */
  folder: z.string().max(FOLDER_MAX).nullish(),
  /** Milliseconds since 1970. */
  modifiedAt: z.number().min(0).max(8.64e15).nullish(),
  /** Offset of the recorder's clock, such as 120 for UTC+2. */
  utcOffsetMinutes: z.int().min(-1440).max(1440).nullish(),
})
export type SuggestUploadDetails = z.infer<typeof suggestUploadDetailsSchema>

export const suggestedDetailsSchema = z.object({
  title: z.string(),
  /** Null if the name contains no game of the site. */
  category: z.string().nullable(),
  game: z.string().nullable(),
})
export type SuggestedDetails = z.infer<typeof suggestedDetailsSchema>

export const unfinishedUploadSchema = z.object({
  id: uploadIdSchema,
  fileName: z.string(),
  fileSize: z.int(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  isAnonymous: z.boolean(),
  /** Null for the default. */
  visibility: visibilitySchema.nullable(),
  squadId: z.int().nullable(),
  participants: z.array(namedMemberSchema),
  /** Private until the video exists. */
  thumbnailUrl: z.string().nullable(),
  chunksStored: z.int(),
  chunkCount: z.int(),
  touchedAt: timestampSchema,
})
export type UnfinishedUpload = z.infer<typeof unfinishedUploadSchema>

/** Fields equal to `was` are not written. */
export const saveUploadDetailsSchema = z.object({
  uploadId: uploadIdSchema,
  metadata: uploadDetailsSchema,
  was: wasSchema(
    unfinishedUploadSchema.pick({
      title: true,
      description: true,
      category: true,
      tags: true,
      isAnonymous: true,
      visibility: true,
      squadId: true,
    }),
  ),
})
export type SaveUploadDetails = z.infer<typeof saveUploadDetailsSchema>

const comparedFileSchema = z.object({
  fileSize: z.int().min(1),
  /** SHA-256 of the chunks in `sampledChunks`, hexadecimal. */
  hashes: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256'))
    .min(1)
    .max(sampledChunks(Number.MAX_SAFE_INTEGER).length),
})
export type ComparedFile = z.infer<typeof comparedFileSchema>

export const findSameFilesSchema = z.object({
  files: z.array(comparedFileSchema).min(1).max(MAX_COMPARED_FILES),
})

export const sameFilesSchema = z.array(
  z.object({ videoId: idSchema, title: z.string(), isOwn: z.boolean() }).nullable(),
)

export const completeUploadSchema = z.object({
  uploadId: uploadIdSchema,
  thumbnailUrl: z.string().max(300).nullish(),
})
export type CompleteUpload = z.infer<typeof completeUploadSchema>

export const completedUploadSchema = z.object({ videoId: z.int() })

const wholeNumberField = z
  .string()
  .regex(/^(0|[1-9]\d{0,6})$/, 'must be a whole number')
  .transform(Number)

export const chunkFieldsSchema = z.object({
  uploadId: uploadIdSchema,
  chunkIndex: wholeNumberField,
  totalChunks: wholeNumberField,
})

export const thumbnailFieldsSchema = z.object({ uploadId: uploadIdSchema })

export const storedChunkSchema = z.object({ received: z.int() })
export const storedThumbnailSchema = z.object({ thumbnailUrl: z.string() })

/** Omitted fields get the site's defaults. */
export const fileFieldsSchema = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional(),
  /** Comma-separated. */
  tags: z
    .string()
    .transform((text) => text.split(',').filter((tag) => tag.trim() !== ''))
    .pipe(tagsSchema)
    .optional(),
  isAnonymous: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional(),
  visibility: visibilitySchema.optional(),
  squadId: idSchema.optional(),
})

/** `early`: the answer begins with the link before the file has arrived. */
export const fileQuerySchema = z.object({
  early: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((value) => value === 'true')
    .optional(),
})

export const uploadedFileSchema = z.object({
  videoId: z.int(),
  /** Absolute. */
  url: z.string(),
  /** Only with `early`, whose answer is in two lines: the link at once, and how the upload ended. */
  state: z.enum(['completed', 'failed']).optional(),
  /** Why it failed. */
  error: z.string().optional(),
})
