import { z } from 'zod'
import { timestampSchema } from '../field.schemas.ts'

/**
 * What counts for a member's quota:
 * - `videos`: recordings with their renditions
 * - `posters`, `captions`, `shares`: files of those videos
 * - `parked`: recordings from before a cut
 * - `clips`: files of the member's clips of any video
 * - `uploads`: unfinished uploads, with reserved bytes
 * - `channel`: avatar and banner
 * - `deleting`: deleted videos whose files still exist
 */
export const heldPartNameSchema = z.enum([
  'videos',
  'posters',
  'captions',
  'shares',
  'parked',
  'clips',
  'uploads',
  'channel',
  'deleting',
])
export type HeldPartName = z.infer<typeof heldPartNameSchema>

export const heldPartSchema = z.object({
  part: heldPartNameSchema,
  bytes: z.int(),
  count: z.int(),
})
export type HeldPart = z.infer<typeof heldPartSchema>

export const heldSchema = z.object({
  /** Null for unlimited. */
  quotaBytes: z.int().nullable(),
  heldBytes: z.int(),
  /** Reserved for unfinished cuts, montages and clip files. */
  plannedBytes: z.int(),
  parts: z.array(heldPartSchema),
})
export type Held = z.infer<typeof heldSchema>

export const heldItemSchema = z.object({
  /** Video, clip or upload id; 'avatar' or 'banner'. */
  id: z.string(),
  title: z.string(),
  bytes: z.int(),
  /** When a restorable recording expires. */
  until: timestampSchema.nullable(),
})
export type HeldItem = z.infer<typeof heldItemSchema>

export const emptiedPartSchema = heldPartNameSchema.exclude(['videos', 'deleting'])
export type EmptiedPart = z.infer<typeof emptiedPartSchema>

export const listHeldSchema = z.object({ part: heldPartNameSchema })

export const deleteHeldSchema = z.object({
  part: heldPartNameSchema.exclude(['deleting']),
  id: z.string().min(1).max(64),
})
export type DeleteHeld = z.infer<typeof deleteHeldSchema>
