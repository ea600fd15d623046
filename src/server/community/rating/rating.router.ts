import { memberProcedure, router } from '#server/platform/trpc.ts'
import { clearRatingSchema, rateSchema, ratingCountsSchema } from '#shared/community.schemas.ts'
import { clearRating, rate } from './rating.service.ts'

export const ratingRouter = router({
  set: memberProcedure
    .input(rateSchema)
    .output(ratingCountsSchema)
    .mutation(({ ctx, input }) => rate(ctx, { ...input, viewer: ctx.viewer })),

  clear: memberProcedure
    .input(clearRatingSchema)
    .output(ratingCountsSchema)
    .mutation(({ ctx, input }) => clearRating(ctx, { ...input, viewer: ctx.viewer })),
})
