import {
  searchPageSchema,
  searchSchema,
  suggestionsSchema,
  suggestSchema,
} from '#shared/search.schemas.ts'
import { orReady } from '../ready-answer.ts'
import { requireCategory } from '../site/site.service.ts'
import { checkedAtOnce, publicProcedure, router } from '../trpc.ts'
import { searchVideos, suggest } from './search.service.ts'

export const searchRouter = router({
  videos: publicProcedure
    .input(searchSchema)
    .output(orReady(searchPageSchema))
    .query(async ({ ctx, input }) => {
      await requireCategory(ctx.db, input.category)
      return searchVideos(ctx, { ...input, viewer: ctx.viewer })
    }),

  suggest: publicProcedure
    .input(suggestSchema)
    .output(checkedAtOnce(suggestionsSchema))
    .query(({ ctx, input }) => suggest(ctx, input.q)),
})
