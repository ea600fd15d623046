import { memberProcedure, publicProcedure, router } from '#server/platform/trpc.ts'
import {
  reactedNowSchema,
  reactedSchema,
  reactionsSchema,
  reactSchema,
} from '#shared/schemas/reaction.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { react, readOwnReactions, readReactions, takeBackReactions } from './reaction.service.ts'

export const reactionRouter = router({
  list: publicProcedure
    .input(videoIdSchema)
    .output(reactionsSchema)
    .query(({ ctx, input }) => readReactions(ctx.db, { ...input, viewer: ctx.viewer })),

  /** How many of the viewer's own the video has. */
  own: memberProcedure
    .input(videoIdSchema)
    .output(reactedSchema)
    .query(({ ctx, input }) => readOwnReactions(ctx.db, { ...input, viewer: ctx.viewer })),

  react: memberProcedure
    .input(reactSchema)
    .output(reactedNowSchema)
    .mutation(({ ctx, input }) => react(ctx, { ...input, viewer: ctx.viewer })),

  takeBack: memberProcedure
    .input(videoIdSchema)
    .output(reactedSchema)
    .mutation(({ ctx, input }) => takeBackReactions(ctx.db, { ...input, viewer: ctx.viewer })),
})
