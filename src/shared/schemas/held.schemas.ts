import { z } from 'zod'

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
