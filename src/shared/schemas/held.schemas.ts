import { z } from 'zod'
import { timestampSchema } from '../field.schemas.ts'

/**
 * What a member holds on the disk:
 * - `videos`: recordings, with the qualities prepared of them
 * - `posters`, `captions`, `shares`: pictures, captions and files for chat programs, of those videos
 * - `parked`: recordings from before a cut, which can be brought back
 * - `clips`: files of the member's clips, whoever's videos these are of
 * - `uploads`: uploads under way, with the room that they reserve
 * - `channel`: avatar and banner
 * - `deleting`: deleted videos whose files are on their way out
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
  /** Videos, clip files, uploads or pictures. */
  count: z.int(),
})
export type HeldPart = z.infer<typeof heldPartSchema>

export const heldSchema = z.object({
  /** Null for as much as the disk takes. */
  quotaBytes: z.int().nullable(),
  /** The sum of all parts. */
  heldBytes: z.int(),
  /** What cuts, montages and files of clips may take that are not made yet. */
  plannedBytes: z.int(),
  parts: z.array(heldPartSchema),
})
export type Held = z.infer<typeof heldSchema>

export const heldItemSchema = z.object({
  /** Of a video, clip or upload; 'avatar' or 'banner'. */
  id: z.string(),
  title: z.string(),
  bytes: z.int(),
  /** Of a recording that can be brought back: when it goes by itself. */
  until: timestampSchema.nullable(),
})
export type HeldItem = z.infer<typeof heldItemSchema>

/** Parts of which all can be deleted at once. */
export const emptiedPartSchema = heldPartNameSchema.exclude(['videos', 'deleting'])
export type EmptiedPart = z.infer<typeof emptiedPartSchema>

export const listHeldSchema = z.object({ part: heldPartNameSchema })

export const deleteHeldSchema = z.object({
  part: heldPartNameSchema.exclude(['deleting']),
  id: z.string().min(1).max(64),
})
export type DeleteHeld = z.infer<typeof deleteHeldSchema>
