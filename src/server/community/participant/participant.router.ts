import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { idSchema } from '#shared/field.schemas.ts'
import {
  listAppearancesSchema,
  nameParticipantSchema,
  participantSchema,
} from '#shared/schemas/community.schemas.ts'
import { videoPageSchema } from '#shared/schemas/video.schemas.ts'
import { listAppearances, listParticipants } from './participant.queries.ts'
import { nameParticipant, removeParticipant } from './participant.service.ts'

export const participantRouter = router({
  list: publicProcedure
    .input(z.object({ id: idSchema }))
    .output(z.array(participantSchema))
    .query(async ({ ctx, input }) => {
      await requireVideoOwner(ctx.db, { id: input.id, viewer: ctx.viewer })
      return listParticipants(ctx.db, input.id)
    }),

  appearances: publicProcedure
    .input(listAppearancesSchema)
    .output(syncOutput(videoPageSchema))
    .query(async ({ ctx, input }) => {
      const { viewer } = ctx
      await requireUser(ctx.db, { id: input.id, viewer })
      return listAppearances(ctx.db, { ...input, viewer })
    }),

  add: memberProcedure
    .input(nameParticipantSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => nameParticipant(ctx, { ...input, viewer: ctx.viewer })),

  remove: memberProcedure
    .input(nameParticipantSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeParticipant(ctx, { ...input, viewer: ctx.viewer })),
})
