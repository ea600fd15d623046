import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import {
  posterFrameSchema,
  setPosterFrameSchema,
  videoIdSchema,
  videoSchema,
} from '#shared/schemas/video.schemas.ts'
import { choosePosterFrame, listPosterFrames } from './poster.service.ts'

/** Procedures that the router `video` includes. */
export const posterRouter = router({
  /** Frames of one's own video to choose its picture from. */
  posterFrames: memberProcedure
    .input(videoIdSchema)
    .output(z.array(posterFrameSchema))
    .query(({ ctx, input }) => listPosterFrames(ctx, { ...input, viewer: ctx.viewer })),

  /** Makes a frame of one's own video its picture. */
  setPosterFrame: memberProcedure
    .input(setPosterFrameSchema)
    .output(videoSchema)
    .mutation(({ ctx, input }) => choosePosterFrame(ctx, { ...input, viewer: ctx.viewer })),
})
