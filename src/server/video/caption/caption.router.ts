import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import {
  captionsIdSchema,
  captionsSchema,
  editCaptionsSchema,
} from '#shared/schemas/caption.schemas.ts'
import { editCaptions, removeCaptions } from './caption.service.ts'

export const captionRouter = router({
  edit: memberProcedure
    .input(editCaptionsSchema)
    .output(captionsSchema)
    .mutation(({ ctx, input }) => editCaptions(ctx, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(captionsIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeCaptions(ctx, { ...input, viewer: ctx.viewer })),
})
