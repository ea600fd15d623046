import { z } from 'zod'
import { idSchema, lineSchema, wasSchema } from '../field.schemas.ts'
import { CAPTIONS_LABEL_MAX } from '../limits.ts'

/** A language, where it helps with its script and its region; nothing that only a machine would say. */
const PLAIN_TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/

/** Captions that come with a video, as a WebVTT file. */
export const captionsSchema = z.object({
  id: z.int(),
  /** A BCP 47 tag, such as 'en' or 'pt-BR'. */
  language: z.string(),
  label: z.string(),
  url: z.string(),
})
export type Captions = z.infer<typeof captionsSchema>

/** Captions just received; `notice` is a sentence about cues of the file that were left out. */
export type ReceivedCaptions = Captions & { notice?: string }

/** A BCP 47 tag in its usual spelling: 'PT-br' becomes 'pt-BR'. */
const languageSchema = z.string().transform((value, context) => {
  try {
    const [tag] = Intl.getCanonicalLocales(value.trim())
    if (tag && PLAIN_TAG.test(tag)) return tag
  } catch {
    // Not a tag.
  }
  context.addIssue({ code: 'custom', message: 'must be a language tag such as en or pt-BR' })
  return z.NEVER
})

const labelSchema = lineSchema.refine((value) => value.length <= CAPTIONS_LABEL_MAX, {
  error: `must be at most ${CAPTIONS_LABEL_MAX} characters`,
})

/**
 * The fields beside the file; without a label it is the language's name. Where the file takes the place of captions, what
 * is not given stays.
 */
export const captionFieldsSchema = z
  .object({
    language: languageSchema.optional(),
    label: labelSchema.optional(),
    /** Which captions the file takes the place of. */
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
