import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import {
  createdInviteSchema,
  createInviteSchema,
  inviteSchema,
  listInvitesSchema,
} from '#shared/schemas/desk/member.schemas.ts'
import { listInvites } from './invite.queries.ts'
import { createInvite, revokeInvite } from './invite.service.ts'

export const inviteRouter = router({
  list: adminProcedure
    .input(listInvitesSchema)
    .output(pageSchema(inviteSchema))
    .query(({ ctx, input }) => listInvites(ctx.db, input)),

  create: adminProcedure
    .input(createInviteSchema)
    .output(createdInviteSchema)
    .mutation(({ ctx, input }) => createInvite(ctx.db, { ...input, viewer: ctx.viewer })),

  revoke: adminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeInvite(ctx.db, { ...input, viewer: ctx.viewer })),
})
