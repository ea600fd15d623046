import { z } from 'zod'
import { idSchema, timestampSchema, wasSchema } from '../field.schemas.ts'
import { FILE_NAME_MAX, MAX_COMPARED_FILES, PARTICIPANTS_MAX } from '../limits.ts'
import { sampledChunks } from '../sampled-chunks.ts'
import { shownFileName } from '../text/file-name.ts'
import { tagsSchema, videoDetailsSchema } from './video.schemas.ts'
import { namedMemberSchema, visibilitySchema } from './visibility.schemas.ts'

/** 128 random bits in hexadecimal. */
export const uploadIdSchema = z.string().regex(/^[0-9a-f]{32}$/, 'is not an upload id')

/** What an uploader says of a video before it exists. */
export const uploadDetailsSchema = videoDetailsSchema.extend({
  /** Ids of members who played along; they are notified once the video exists. */
  participants: z
    .array(idSchema)
    .max(PARTICIPANTS_MAX, `A video names at most ${PARTICIPANTS_MAX} members.`)
    .nullish()
    .transform((ids) => [...new Set(ids)]),
})
export type UploadDetails = z.infer<typeof uploadDetailsSchema>

export const initializeUploadSchema = z.object({
  fileName: z
    .string()
    .refine((name) => name.trim() !== '' && name.trim().length <= FILE_NAME_MAX, {
      error: `File name must be 1 to ${FILE_NAME_MAX} characters.`,
    })
    .transform(shownFileName),
  fileSize: z
    .number({ error: 'must be a whole number of bytes' })
    .int('must be a whole number of bytes')
    .min(1, 'The file is empty.'),
  /** What the client believes it is; the file itself decides. */
  fileType: z.string().max(255).nullish(),
  metadata: uploadDetailsSchema,
  resumeUploadId: uploadIdSchema.nullish(),
  /** One's own video whose recording this one is to replace, once it plays. */
  replacesVideoId: idSchema.nullish(),
})
export type InitializeUpload = z.infer<typeof initializeUploadSchema>

export const openUploadSchema = z.object({
  uploadId: uploadIdSchema,
  chunkSize: z.int(),
  /** Indexes of the chunks already stored, ascending. */
  received: z.array(z.int()),
  /** True when `resumeUploadId` was taken up. */
  resumed: z.boolean(),
})
export type OpenUpload = z.infer<typeof openUploadSchema>

/** One's own upload that waits for more chunks, with everything that was said of it. */
export const unfinishedUploadSchema = z.object({
  id: uploadIdSchema,
  fileName: z.string(),
  fileSize: z.int(),
  title: z.string(),
  description: z.string(),
  category: z.string(),
  tags: z.array(z.string()),
  isAnonymous: z.boolean(),
  /** Null for the default of its owner or the site. */
  visibility: visibilitySchema.nullable(),
  /** Who played along. */
  participants: z.array(namedMemberSchema),
  /** The picture that was sent for it; not served before the video exists. */
  thumbnailUrl: z.string().nullable(),
  chunksStored: z.int(),
  chunkCount: z.int(),
  touchedAt: timestampSchema,
})
export type UnfinishedUpload = z.infer<typeof unfinishedUploadSchema>

/** Fields of `metadata` that are what they `was`, as their editor read them, stay as they are by now. */
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
    }),
  ),
})
export type SaveUploadDetails = z.infer<typeof saveUploadDetailsSchema>

/** A file as it is compared with those that the site has. */
const comparedFileSchema = z.object({
  fileSize: z.int().min(1),
  /** SHA-256 in hexadecimal of the chunks that `sampledChunks` names. */
  hashes: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256'))
    .min(1)
    .max(sampledChunks(Number.MAX_SAFE_INTEGER).length),
})
export type ComparedFile = z.infer<typeof comparedFileSchema>

export const findSameFilesSchema = z.object({
  files: z.array(comparedFileSchema).min(1).max(MAX_COMPARED_FILES),
})

/** For each file the video that has the same bytes, or null. */
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

/** The text fields of the chunk's form. */
export const chunkFieldsSchema = z.object({
  uploadId: uploadIdSchema,
  chunkIndex: wholeNumberField,
  totalChunks: wholeNumberField,
})

/** The text fields of the thumbnail's form. */
export const thumbnailFieldsSchema = z.object({ uploadId: uploadIdSchema })

/** The index of the chunk that is stored now. */
export const storedChunkSchema = z.object({ received: z.int() })
export const storedThumbnailSchema = z.object({ thumbnailUrl: z.string() })

/** The text fields beside a whole file. Whatever is left out is as the site's admins want it. */
export const fileFieldsSchema = z.object({
  /** The file's name unless given. */
  title: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional(),
  /** Separated by commas. */
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
})

export const uploadedFileSchema = z.object({
  videoId: z.int(),
  /** The watch page's whole address. */
  url: z.string(),
})
