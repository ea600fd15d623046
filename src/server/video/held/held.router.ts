import { z } from 'zod'
import { readHeld } from '#server/account/room/room.service.ts'
import { router, sessionProcedure } from '#server/platform/trpc.ts'
import {
  deleteHeldSchema,
  emptiedPartSchema,
  heldItemSchema,
  heldSchema,
  listHeldSchema,
} from '#shared/schemas/held.schemas.ts'
import { deleteHeld, emptyHeld, listHeld } from './held.service.ts'

export const heldRouter = router({
  get: sessionProcedure
    .output(heldSchema)
    .query(({ ctx }) => readHeld(ctx.db, { config: ctx.config, userId: ctx.viewer.id })),

  list: sessionProcedure
    .input(listHeldSchema)
    .output(z.array(heldItemSchema))
    .query(({ ctx, input }) => listHeld(ctx.db, { ...input, viewer: ctx.viewer })),

  delete: sessionProcedure
    .input(deleteHeldSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteHeld(ctx, { ...input, viewer: ctx.viewer })),

  empty: sessionProcedure
    .input(z.object({ part: emptiedPartSchema }))
    .output(z.object({ deleted: z.int(), hasMore: z.boolean() }))
    .mutation(({ ctx, input }) => emptyHeld(ctx, { ...input, viewer: ctx.viewer })),
})
