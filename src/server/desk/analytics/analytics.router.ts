import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import {
  channelAnalyticsSchema,
  videoAnalyticsInputSchema,
  videoAnalyticsSchema,
} from '#shared/schemas/desk/analytics.schemas.ts'
import { daysSchema } from '#shared/schemas/desk/overview.schemas.ts'
import { hasVideos } from './analytics.queries.ts'
import { readChannelAnalytics, readVideoAnalytics } from './analytics.service.ts'

export const analyticsRouter = router({
  state: memberProcedure
    .output(z.object({ hasVideos: z.boolean() }))
    .query(async ({ ctx }) => ({ hasVideos: await hasVideos(ctx.db, ctx.viewer.id) })),

  channel: memberProcedure
    .input(daysSchema)
    .output(channelAnalyticsSchema)
    .query(({ ctx, input }) => readChannelAnalytics(ctx.db, { ...input, viewer: ctx.viewer })),

  video: memberProcedure
    .input(videoAnalyticsInputSchema)
    .output(videoAnalyticsSchema)
    .query(({ ctx, input }) => readVideoAnalytics(ctx.db, { ...input, viewer: ctx.viewer })),
})
