import { memberProcedure, router } from '#server/platform/trpc.ts'
import {
  clearLikeSchema,
  likeCountsSchema,
  setLikeSchema,
} from '#shared/schemas/community.schemas.ts'
import { changeLike } from './like.service.ts'

export const likeRouter = router({
  set: memberProcedure
    .input(setLikeSchema)
    .output(likeCountsSchema)
    .mutation(({ ctx, input: { isLike, ...input } }) =>
      changeLike(ctx, { ...input, like: isLike ? 'like' : 'dislike', viewer: ctx.viewer }),
    ),

  clear: memberProcedure
    .input(clearLikeSchema)
    .output(likeCountsSchema)
    .mutation(({ ctx, input }) => changeLike(ctx, { ...input, like: null, viewer: ctx.viewer })),
})
