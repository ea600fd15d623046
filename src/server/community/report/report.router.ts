import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { adminProcedure, memberProcedure, router } from '#server/platform/trpc.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import {
  createReportSchema,
  listReportsSchema,
  reportSchema,
} from '#shared/schemas/desk/moderation.schemas.ts'
import { requireVisibleComment } from '../comment/comment.service.ts'
import { requirePostOwner } from '../post/post.service.ts'
import { listReports } from './report.queries.ts'
import { endReport, makeReport } from './report.service.ts'

export const reportRouter = router({
  create: memberProcedure
    .input(createReportSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { viewer, db } = ctx
      const { videoId, commentId, channelId, postId } = input
      if (videoId) await requireVideoOwner(db, { id: videoId, viewer })
      if (commentId) await requireVisibleComment(db, { id: commentId, viewer })
      if (channelId) await requireUser(db, { id: channelId, viewer })
      if (postId) await requirePostOwner(db, { id: postId, viewer })
      await makeReport(db, { ...input, reporterId: viewer.id })
    }),

  list: adminProcedure
    .input(listReportsSchema)
    .output(pageSchema(reportSchema))
    .query(({ ctx, input }) => listReports(ctx.db, input)),

  close: adminProcedure
    .input(z.object({ id: idSchema, state: z.enum(['resolved', 'dismissed']) }))
    .output(z.void())
    .mutation(({ ctx, input }) => endReport(ctx.db, { ...input, viewer: ctx.viewer })),
})
