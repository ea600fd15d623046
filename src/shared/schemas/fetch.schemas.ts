import { z } from 'zod'
import { idSchema, lineSchema, timestampSchema } from '../field.schemas.ts'
import { uploadDetailsSchema } from './upload.schemas.ts'

const ADDRESS_MAX = 4000

const fileAddressSchema = lineSchema
  .refine((value) => value.length <= ADDRESS_MAX, {
    error: `The address must be at most ${ADDRESS_MAX} characters.`,
  })
  .refine((value) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
    error: 'The address must begin with https://.',
  })

export const startFetchSchema = z.object({
  url: fileAddressSchema,
  metadata: uploadDetailsSchema,
})
export type StartFetch = z.infer<typeof startFetchSchema>

export const fetchIdSchema = z.object({ id: idSchema })

export const fetchSchema = z.object({
  id: idSchema,
  /** `waiting`: for its turn, or for another attempt; `same`: the site has a video of the same bytes. */
  state: z.enum(['waiting', 'fetching', 'same', 'done', 'failed']),
  /** Returns the address without its path and query, which may be a key. */
  host: z.string(),
  fileName: z.string(),
  title: z.string(),
  /** The size is null until the other server states it. */
  size: z.int().nullable(),
  bytes: z.int(),
  /** Why it failed, or waits. */
  problem: z.string().nullable(),
  same: z.object({ videoId: idSchema, title: z.string(), isOwn: z.boolean() }).nullable(),
  videoId: idSchema.nullable(),
  createdAt: timestampSchema,
})
export type Fetch = z.infer<typeof fetchSchema>
