import { z } from 'zod'
import { idSchema, pageInputSchema } from '#shared/field.schemas.ts'
import { rejectVideoSchema } from '#shared/settings.schemas.ts'
import { videoIdSchema, videoPageSchema } from '#shared/video.schemas.ts'
import { adminProcedure, router } from '../trpc.ts'
import { approveVideo, readApprovalQueue, rejectVideo, setAdmin } from './moderation.service.ts'

export const moderationRouter = router({
  queue: adminProcedure
    .input(pageInputSchema)
    .output(videoPageSchema)
    .query(({ ctx, input }) => readApprovalQueue(ctx.db, { ...input, viewer: ctx.viewer })),

  approve: adminProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => approveVideo(ctx, { ...input, viewer: ctx.viewer })),

  reject: adminProcedure
    .input(rejectVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => rejectVideo(ctx, { ...input, viewer: ctx.viewer })),

  setAdmin: adminProcedure
    .input(z.object({ userId: idSchema, isAdmin: z.boolean() }))
    .output(z.void())
    .mutation(({ ctx, input }) => setAdmin(ctx.db, { ...input, viewer: ctx.viewer })),
})
