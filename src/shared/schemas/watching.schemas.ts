import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'

const IDS_MAX = 100

export const watchingCountsSchema = z.object({
  ids: z.array(idSchema).max(IDS_MAX, `must be at most ${IDS_MAX}`),
})

/** `count` is at least 2. */
export const watchingCountSchema = z.object({ id: z.int(), count: z.int() })
export type WatchingCount = z.infer<typeof watchingCountSchema>
