import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import {
  cutSourceSchema,
  cutStateSchema,
  cutVideoSchema,
  startCutSchema,
  startedCutSchema,
} from '#shared/schemas/cut.schemas.ts'
import {
  deletePreviousRecording,
  describeCut,
  describeSource,
  saveClip,
  startCut,
} from './cut.service.ts'
import { restorePreviousRecording } from './cut-exchange.ts'

export const cutRouter = router({
  source: memberProcedure
    .input(cutVideoSchema)
    .output(cutSourceSchema)
    .query(({ ctx, input }) => describeSource(ctx, { ...input, viewer: ctx.viewer })),

  start: memberProcedure
    .input(startCutSchema)
    .output(startedCutSchema)
    .mutation(({ ctx, input }) => startCut(ctx, { ...input, viewer: ctx.viewer })),

  saveClip: memberProcedure
    .input(z.object({ clipId: idSchema }))
    .output(startedCutSchema)
    .mutation(({ ctx, input }) => saveClip(ctx, { ...input, viewer: ctx.viewer })),

  state: memberProcedure
    .input(cutVideoSchema)
    .output(cutStateSchema)
    .query(({ ctx, input }) => describeCut(ctx, { ...input, viewer: ctx.viewer })),

  bringBack: memberProcedure
    .input(cutVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => restorePreviousRecording(ctx, { ...input, viewer: ctx.viewer })),

  forgetOld: memberProcedure
    .input(cutVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => deletePreviousRecording(ctx, { ...input, viewer: ctx.viewer })),
})
