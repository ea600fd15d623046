import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'

/** `original` is the file as it was uploaded, `best` the one that plays, a number a smaller step such as 720. */
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

/** The files of a video that its viewer may download, the best first; none where downloads are not allowed. */
export const downloadsSchema = z.array(
  z.object({
    quality: z.union([z.enum(['original', 'best']), z.int()]),
    /** Without the part that says where the site is. */
    url: z.string(),
    fileName: z.string(),
    /** Null for files that were listed before sizes were. */
    bytes: z.int().nullable(),
    /** The shorter side of the picture, in pixels; null where it is not known. */
    shortSide: z.int().nullable(),
  }),
)
export type Downloads = z.infer<typeof downloadsSchema>
