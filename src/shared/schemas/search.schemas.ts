import { z } from 'zod'
import { categorySchema, pageInputSchema } from '../field.schemas.ts'
import { MAX_SUGGESTIONS, SEARCH_QUERY_MAX } from '../limits.ts'
import { tidyQuery } from '../text/shown-text.ts'
import { videoPageSchema } from './video.schemas.ts'

export const searchSortSchema = z.enum(['relevance', 'date', 'views'])
export type SearchSort = z.infer<typeof searchSortSchema>

const querySchema = z
  .string({ error: 'Type something to search for.' })
  .transform(tidyQuery)
  .refine((query) => query.length > 0, { error: 'Type something to search for.' })
  .refine((query) => query.length <= SEARCH_QUERY_MAX, {
    error: `A search has at most ${SEARCH_QUERY_MAX} characters.`,
  })

export const searchSchema = pageInputSchema.extend({
  q: querySchema,
  category: categorySchema.optional(),
  sort: searchSortSchema.default('relevance'),
})
export type Search = z.infer<typeof searchSchema>

/** `total` is exact up to 1,000, and stops there. */
export const searchPageSchema = videoPageSchema.extend({ total: z.int() })

export const suggestSchema = z.object({ q: querySchema })

/** Tags are without #. */
const suggestionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('game'), text: categorySchema }),
  z.object({ kind: z.literal('tag'), text: z.string() }),
  z.object({ kind: z.literal('channel'), text: z.string(), id: z.int() }),
  z.object({ kind: z.literal('video'), text: z.string(), id: z.int() }),
])
export type Suggestion = z.infer<typeof suggestionSchema>

export const suggestionsSchema = z.array(suggestionSchema).max(MAX_SUGGESTIONS)
