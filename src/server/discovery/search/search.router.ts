import { requireCategory } from '#server/platform/site/site.service.ts'
import { publicProcedure, router } from '#server/platform/trpc.ts'
import {
  searchPageSchema,
  searchSchema,
  suggestionsSchema,
  suggestSchema,
} from '#shared/schemas/search.schemas.ts'
import { searchVideos, suggest } from './search.service.ts'

export const searchRouter = router({
  videos: publicProcedure
    .input(searchSchema)
    .output(searchPageSchema)
    .query(async ({ ctx, input }) => {
      await requireCategory(ctx.db, input.category)
      return searchVideos(ctx, { ...input, viewer: ctx.viewer })
    }),

  suggest: publicProcedure
    .input(suggestSchema)
    .output(suggestionsSchema)
    .query(({ ctx, input }) => suggest(ctx, input.q)),
})
