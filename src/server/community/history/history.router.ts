import { z } from 'zod'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { reportProgress } from '#server/video/view/view.service.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { MAX_PAGE_SIZE } from '#shared/limits.ts'
import {
  historyPageSchema,
  listHistorySchema,
  progressSchema,
  restoreHistorySchema,
} from '#shared/schemas/library.schemas.ts'
import { videoSchema } from '#shared/schemas/video.schemas.ts'
import {
  deleteHistory,
  historyIsPaused,
  listHistory,
  listPositions,
  listUnfinished,
  updateHistoryPaused,
} from './history.queries.ts'
import { restoreHistory } from './history.service.ts'

const UNFINISHED_VIDEOS = 12
const pausedSchema = z.object({ paused: z.boolean() })

export const historyRouter = router({
  /** A visitor's report only counts a view. */
  report: publicProcedure
    .input(progressSchema)
    .output(z.object({ viewCounted: z.boolean() }))
    .mutation(({ ctx, input }) => {
      const { viewer, address, userAgent } = ctx
      return reportProgress(ctx, { ...input, viewer, address, userAgent })
    }),

  list: memberProcedure
    .input(listHistorySchema)
    .output(syncOutput(historyPageSchema))
    .query(({ ctx, input }) => listHistory(ctx.db, { ...input, viewer: ctx.viewer })),

  unfinished: memberProcedure
    .output(syncOutput(z.array(videoSchema)))
    .query(({ ctx }) => listUnfinished(ctx.db, { viewer: ctx.viewer, limit: UNFINISHED_VIDEOS })),

  positions: memberProcedure
    .input(z.object({ videoIds: z.array(idSchema).max(MAX_PAGE_SIZE) }))
    .output(z.array(z.object({ videoId: z.int(), positionSeconds: z.number() })))
    .query(({ ctx, input }) => listPositions(ctx.db, { ...input, userId: ctx.viewer.id })),

  remove: memberProcedure
    .input(z.object({ videoId: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => deleteHistory(ctx.db, { ...input, userId: ctx.viewer.id })),

  restore: memberProcedure
    .input(restoreHistorySchema)
    .output(z.void())
    .mutation(({ ctx, input }) => restoreHistory(ctx.db, { ...input, viewer: ctx.viewer })),

  clear: memberProcedure
    .output(z.void())
    .mutation(({ ctx }) => deleteHistory(ctx.db, { userId: ctx.viewer.id })),

  state: memberProcedure
    .output(pausedSchema)
    .query(async ({ ctx }) => ({ paused: await historyIsPaused(ctx.db, ctx.viewer.id) })),

  setPaused: memberProcedure
    .input(pausedSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => updateHistoryPaused(ctx.db, { ...input, userId: ctx.viewer.id })),
})
