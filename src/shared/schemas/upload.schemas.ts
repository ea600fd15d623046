import { z } from 'zod'
import { lineSchema } from '../field.schemas.ts'
import { FILE_NAME_MAX } from '../limits.ts'
import { tagsSchema, videoDetailsSchema } from './video.schemas.ts'

/** 128 random bits in hexadecimal. */
export const uploadIdSchema = z.string().regex(/^[0-9a-f]{32}$/, 'is not an upload id')

export const initializeUploadSchema = z.object({
  fileName: lineSchema.refine((name) => name.length > 0 && name.length <= FILE_NAME_MAX, {
    error: `File name must be 1 to ${FILE_NAME_MAX} characters.`,
  }),
  fileSize: z
    .number({ error: 'must be a whole number of bytes' })
    .int('must be a whole number of bytes')
    .min(1, 'The file is empty.'),
  /** What the client believes it is; the file itself decides. */
  fileType: z.string().max(255).nullish(),
  metadata: videoDetailsSchema,
  resumeUploadId: uploadIdSchema.nullish(),
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
})

export const uploadedFileSchema = z.object({
  videoId: z.int(),
  /** The watch page's whole address. */
  url: z.string(),
})
