import { z } from 'zod'
import { publicProcedure, router } from '../trpc.ts'

export const siteRouter = router({
  /** What the pages need to know of the server's settings. Sizes in bytes. */
  settings: publicProcedure
    .output(z.object({ maxVideoBytes: z.int(), maxThumbnailBytes: z.int() }))
    .query(({ ctx }) => ({
      maxVideoBytes: ctx.config.maxVideoBytes,
      maxThumbnailBytes: ctx.config.maxThumbnailBytes,
    })),
})
