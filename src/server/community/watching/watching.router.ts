import { z } from 'zod'
import { memberProcedure, publicProcedure, router } from '#server/platform/trpc.ts'
import { faceSchema } from '#shared/schemas/user.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { watchingCountSchema, watchingCountsSchema } from '#shared/schemas/watching.schemas.ts'
import { countWatching, readFaces } from './watching.service.ts'

export const watchingRouter = router({
  counts: publicProcedure
    .input(watchingCountsSchema)
    .output(z.array(watchingCountSchema))
    .query(({ ctx, input }) => countWatching(ctx, { ...input, viewer: ctx.viewer })),

  faces: memberProcedure
    .input(videoIdSchema)
    .output(z.array(faceSchema))
    .query(({ ctx, input }) => readFaces(ctx, { ...input, viewer: ctx.viewer })),
})
