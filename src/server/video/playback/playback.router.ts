import { z } from 'zod'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { playbackSchema, setSoundKindSchema, videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { findPlayback, setSoundKind } from './playback.service.ts'

export const playbackRouter = router({
  playback: publicProcedure
    .input(videoIdSchema)
    .output(syncOutput(playbackSchema))
    .query(({ ctx, input }) => findPlayback(ctx.db, { ...input, viewer: ctx.viewer })),

  setSoundKind: memberProcedure
    .input(setSoundKindSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => setSoundKind(ctx.db, { ...input, viewer: ctx.viewer })),
})
