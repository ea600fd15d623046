import { z } from 'zod'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import {
  answerSquadViewSchema,
  placeRecordingsSchema,
  proposeSquadViewSchema,
  squadViewIdSchema,
  squadViewOfVideoSchema,
  squadViewSchema,
  squadViewVideoSchema,
} from '#shared/schemas/squad-view.schemas.ts'
import { videoIdSchema, videoSchema } from '#shared/schemas/video.schemas.ts'
import {
  alignAgain,
  answerSquadView,
  placeRecordings,
  readSquadView,
  readSquadViewOfVideo,
  removeRecording,
} from './squad-view.service.ts'
import { listLikelyRecordings } from './squad-view-candidates.service.ts'
import { proposeSquadView } from './squad-view-proposal.service.ts'

export const squadViewRouter = router({
  get: publicProcedure
    .input(squadViewIdSchema)
    .output(syncOutput(squadViewSchema))
    .query(({ ctx, input }) => readSquadView(ctx.db, { ...input, viewer: ctx.viewer })),

  ofVideo: publicProcedure
    .input(videoIdSchema)
    .output(syncOutput(squadViewOfVideoSchema))
    .query(({ ctx, input }) => readSquadViewOfVideo(ctx.db, { ...input, viewer: ctx.viewer })),

  /** Likely recordings of the same match. */
  likely: memberProcedure
    .input(videoIdSchema)
    .output(syncOutput(z.array(videoSchema)))
    .query(({ ctx, input }) => listLikelyRecordings(ctx.db, { ...input, viewer: ctx.viewer })),

  propose: memberProcedure
    .input(proposeSquadViewSchema)
    .output(squadViewIdSchema)
    .mutation(({ ctx, input }) => proposeSquadView(ctx, { ...input, viewer: ctx.viewer })),

  answer: memberProcedure
    .input(answerSquadViewSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => answerSquadView(ctx, { ...input, viewer: ctx.viewer })),

  remove: memberProcedure
    .input(squadViewVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeRecording(ctx, { ...input, viewer: ctx.viewer })),

  place: memberProcedure
    .input(placeRecordingsSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => placeRecordings(ctx, { ...input, viewer: ctx.viewer })),

  alignAgain: memberProcedure
    .input(squadViewIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => alignAgain(ctx, { ...input, viewer: ctx.viewer })),
})
