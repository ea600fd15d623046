import { searchPageSchema, searchSchema } from '#shared/search.schemas.ts'
import { requireCategory } from '../site/site.service.ts'
import { publicProcedure, router } from '../trpc.ts'
import { searchVideos } from './search.service.ts'

export const searchRouter = router({
  videos: publicProcedure
    .input(searchSchema)
    .output(searchPageSchema)
    .query(async ({ ctx, input }) => {
      await requireCategory(ctx.db, input.category)
      return searchVideos(ctx.db, { ...input, viewer: ctx.viewer })
    }),
})
