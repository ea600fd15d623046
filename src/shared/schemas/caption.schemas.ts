import { z } from 'zod'
import { idSchema, lineSchema, wasSchema } from '../field.schemas.ts'
import { CAPTIONS_LABEL_MAX } from '../limits.ts'

/** Language, optionally script and region. */
const PLAIN_TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/

/** WebVTT. */
export const captionsSchema = z.object({
  id: z.int(),
  /** BCP 47, such as 'en' or 'pt-BR'. */
  language: z.string(),
  label: z.string(),
  url: z.string(),
})
export type Captions = z.infer<typeof captionsSchema>

/** `notice` is a sentence about omitted cues. */
export type ReceivedCaptions = Captions & { notice?: string }

/** Normalises case: 'PT-br' becomes 'pt-BR'. */
const languageSchema = z.string().transform((value, context) => {
  try {
    const [tag] = Intl.getCanonicalLocales(value.trim())
    if (tag && PLAIN_TAG.test(tag)) return tag
  } catch {
    // Invalid tag.
  }
  context.addIssue({ code: 'custom', message: 'must be a language tag such as en or pt-BR' })
  return z.NEVER
})

const labelSchema = lineSchema.refine((value) => value.length <= CAPTIONS_LABEL_MAX, {
  error: `must be at most ${CAPTIONS_LABEL_MAX} characters`,
})

/** The label defaults to the language's name. When replacing, omitted fields stay. */
export const captionFieldsSchema = z
  .object({
    language: languageSchema.optional(),
    label: labelSchema.optional(),
    captionsId: idSchema.optional(),
  })
  .refine(({ language, captionsId }) => language !== undefined || captionsId !== undefined, {
    path: ['language'],
    error: 'is missing',
  })
export type CaptionFields = z.infer<typeof captionFieldsSchema>

export const editCaptionsSchema = z.object({
  id: idSchema,
  language: languageSchema.optional(),
  label: labelSchema.optional(),
  was: wasSchema(captionsSchema.pick({ language: true, label: true })),
})
export type EditCaptions = z.infer<typeof editCaptionsSchema>

export const captionsIdSchema = z.object({ id: idSchema })
