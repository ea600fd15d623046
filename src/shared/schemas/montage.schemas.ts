import { z } from 'zod'
import { idSchema, lineSchema, ruleCheck } from '../field.schemas.ts'
import { titleRule } from '../field-rules.ts'
import { MONTAGE_ITEMS_MAX } from '../limits.ts'

const secondsSchema = z
  .number({ error: 'must be a number of seconds' })
  .min(0, 'must not be negative')
  .transform((seconds) => Math.round(seconds * 1000) / 1000)

const montageItemSchema = z.union([
  z.object({ clipId: idSchema }),
  z.object({ videoId: idSchema, fromSeconds: secondsSchema, toSeconds: secondsSchema }),
])
export type MontageItem = z.infer<typeof montageItemSchema>

export const startMontageSchema = z.object({
  title: lineSchema.superRefine(ruleCheck(titleRule)),
  items: z
    .array(montageItemSchema)
    .min(1, 'Choose at least one clip.')
    .max(MONTAGE_ITEMS_MAX, `A montage has at most ${MONTAGE_ITEMS_MAX} clips.`),
  /** `fade` lasts 0.3 s. */
  transition: z.enum(['fade', 'cut']),
  titleCard: z.boolean(),
})
export type StartMontage = z.infer<typeof startMontageSchema>

/** Private. */
export const startedMontageSchema = z.object({ videoId: z.int() })
