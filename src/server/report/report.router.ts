import { z } from 'zod'
import { idSchema, pageInputSchema, pageSchema } from '#shared/field.schemas.ts'
import { createReportSchema, reportSchema } from '#shared/settings.schemas.ts'
import { requireVisibleComment } from '../comment/comment.service.ts'
import { AppError } from '../errors.ts'
import { adminProcedure, memberProcedure, router } from '../trpc.ts'
import { requireUser } from '../user/user.service.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import { closeReport, insertReport, listReports } from './report.queries.ts'

export const reportRouter = router({
  create: memberProcedure
    .input(createReportSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { viewer, db } = ctx
      const { videoId, commentId, channelId } = input
      if (videoId) await requireVideoOwner(db, { id: videoId, viewer })
      if (commentId) await requireVisibleComment(db, { id: commentId, viewer })
      if (channelId) await requireUser(db, { id: channelId, viewer })
      await insertReport(db, { ...input, reporterId: viewer.id })
    }),

  list: adminProcedure
    .input(pageInputSchema.extend({ state: reportSchema.shape.state.default('open') }))
    .output(pageSchema(reportSchema))
    .query(({ ctx, input }) => listReports(ctx.db, input)),

  close: adminProcedure
    .input(z.object({ id: idSchema, state: z.enum(['resolved', 'dismissed']) }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const closed = await closeReport(ctx.db, { ...input, closedBy: ctx.viewer.id })
      if (!closed) throw new AppError('not-found', 'There is no such open report.')
    }),
})
