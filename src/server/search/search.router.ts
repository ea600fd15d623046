import { searchPageSchema, searchSchema } from '#shared/search.schemas.ts'
import { publicProcedure, router } from '../trpc.ts'
import { searchVideos } from './search.service.ts'

export const searchRouter = router({
  videos: publicProcedure
    .input(searchSchema)
    .output(searchPageSchema)
    .query(({ ctx, input }) => searchVideos(ctx.db, { ...input, viewer: ctx.viewer })),
})
