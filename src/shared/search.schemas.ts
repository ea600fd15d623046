import { z } from 'zod'
import { categorySchema, pageInputSchema, tidyText } from './field.schemas.ts'
import { SEARCH_QUERY_MAX } from './limits.ts'
import { videoPageSchema } from './video.schemas.ts'

export const searchSortSchema = z.enum(['relevance', 'date', 'views'])
export type SearchSort = z.infer<typeof searchSortSchema>

export const searchSchema = pageInputSchema.extend({
  q: z
    .string({ error: 'Type something to search for.' })
    .transform(tidyText)
    .refine((query) => query.length > 0, { error: 'Type something to search for.' })
    .refine((query) => query.length <= SEARCH_QUERY_MAX, {
      error: `A search has at most ${SEARCH_QUERY_MAX} characters.`,
    }),
  category: categorySchema.optional(),
  sort: searchSortSchema.default('relevance'),
})
export type Search = z.infer<typeof searchSchema>

/** `total` is exact up to 1,000 and stops there. */
export const searchPageSchema = videoPageSchema.extend({ total: z.int() })
