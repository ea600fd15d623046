import { z } from 'zod'
import { memberProcedure, publicProcedure, router } from '#server/platform/trpc.ts'
import {
  processingStatusSchema,
  videoIdSchema,
  videoWorkSchema,
} from '#shared/schemas/video.schemas.ts'
import { cancelProcessing, retryProcessing } from './job.service.ts'
import { findProcessingStatus, listVideoWork } from './processing-status.ts'

export const processingRouter = router({
  processingStatus: publicProcedure
    .input(videoIdSchema)
    .output(processingStatusSchema)
    .query(({ ctx, input }) => findProcessingStatus(ctx, { ...input, viewer: ctx.viewer })),

  listWork: memberProcedure
    .input(z.void())
    .output(z.array(videoWorkSchema))
    .query(({ ctx }) => listVideoWork(ctx, ctx.viewer)),

  cancelProcessing: memberProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => cancelProcessing(ctx, { ...input, viewer: ctx.viewer })),

  retryProcessing: memberProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => retryProcessing(ctx, { ...input, viewer: ctx.viewer })),
})
