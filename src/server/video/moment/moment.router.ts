import { z } from 'zod'
import { memberProcedure, publicProcedure, router } from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import {
  listMomentsSchema,
  markMomentSchema,
  momentIdSchema,
  momentsSchema,
} from '#shared/schemas/moment.schemas.ts'
import { forgetMoment, listMoments, markMoment, unmarkMoment } from './moment.service.ts'
import { removeTimeline } from './timeline.service.ts'

const rowSchema = z.object({ id: idSchema })

export const momentRouter = router({
  list: publicProcedure
    .input(listMomentsSchema)
    .output(momentsSchema)
    .query(({ ctx, input }) => listMoments(ctx.db, { ...input, viewer: ctx.viewer })),

  mark: memberProcedure
    .input(markMomentSchema)
    .output(rowSchema)
    .mutation(({ ctx, input }) => markMoment(ctx.db, { ...input, viewer: ctx.viewer })),

  forget: memberProcedure
    .input(markMomentSchema)
    .output(rowSchema)
    .mutation(({ ctx, input }) => forgetMoment(ctx.db, { ...input, viewer: ctx.viewer })),

  unmark: memberProcedure
    .input(momentIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => unmarkMoment(ctx.db, { ...input, viewer: ctx.viewer })),

  removeTimeline: memberProcedure
    .input(listMomentsSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeTimeline(ctx.db, { ...input, viewer: ctx.viewer })),
})
