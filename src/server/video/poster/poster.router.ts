import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import {
  posterFrameSchema,
  setPosterFrameSchema,
  videoIdSchema,
  videoSchema,
} from '#shared/schemas/video.schemas.ts'
import { choosePosterFrame, listPosterFrames } from './poster.service.ts'

export const posterRouter = router({
  posterFrames: memberProcedure
    .input(videoIdSchema)
    .output(z.array(posterFrameSchema))
    .query(({ ctx, input }) => listPosterFrames(ctx, { ...input, viewer: ctx.viewer })),

  setPosterFrame: memberProcedure
    .input(setPosterFrameSchema)
    .output(videoSchema)
    .mutation(({ ctx, input }) => choosePosterFrame(ctx, { ...input, viewer: ctx.viewer })),
})
