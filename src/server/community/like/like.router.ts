import { memberProcedure, router } from '#server/platform/trpc.ts'
import {
  clearLikeSchema,
  likeCountsSchema,
  setLikeSchema,
} from '#shared/schemas/community.schemas.ts'
import { clearLike, setLike } from './like.service.ts'

export const likeRouter = router({
  set: memberProcedure
    .input(setLikeSchema)
    .output(likeCountsSchema)
    .mutation(({ ctx, input }) => setLike(ctx, { ...input, viewer: ctx.viewer })),

  clear: memberProcedure
    .input(clearLikeSchema)
    .output(likeCountsSchema)
    .mutation(({ ctx, input }) => clearLike(ctx, { ...input, viewer: ctx.viewer })),
})
