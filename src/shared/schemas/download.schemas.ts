import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'

/** `original` is the upload, `best` the largest playable file, a number a short side. */
const downloadQualitySchema = z.union([
  z.enum(['original', 'best']),
  z
    .string()
    .regex(/^[1-9]\d{1,4}$/, 'is not a quality')
    .transform(Number),
])

export const downloadSchema = z.object({
  id: idSchema,
  quality: downloadQualitySchema.default('best'),
})
export type Download = z.infer<typeof downloadSchema>

/** Best first. */
export const downloadsSchema = z.array(
  z.object({
    quality: z.union([z.enum(['original', 'best']), z.int()]),
    /** Path without origin. */
    url: z.string(),
    fileName: z.string(),
    /** Null for files older than recorded sizes. */
    bytes: z.int().nullable(),
    /** Pixels of the shorter side. */
    shortSide: z.int().nullable(),
  }),
)
export type Downloads = z.infer<typeof downloadsSchema>
