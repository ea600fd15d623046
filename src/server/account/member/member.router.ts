import { z } from 'zod'
import { adminProcedure, confirmedAdminProcedure, router } from '#server/platform/trpc.ts'
import { pageSchema, timestampSchema } from '#shared/field.schemas.ts'
import {
  listMembersSchema,
  memberSchema,
  setQuotaSchema,
} from '#shared/schemas/desk/member.schemas.ts'
import { memberIdSchema } from '#shared/schemas/desk/moderation.schemas.ts'
import { listMembers } from './member.queries.ts'
import {
  createPasswordReset,
  endMemberSessions,
  resetSecondFactor,
  setQuota,
} from './member.service.ts'

export const memberRouter = router({
  list: adminProcedure
    .input(listMembersSchema)
    .output(pageSchema(memberSchema))
    .query(({ ctx, input }) => listMembers(ctx.db, input)),

  setQuota: adminProcedure
    .input(setQuotaSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => setQuota(ctx.db, { ...input, viewer: ctx.viewer })),

  resetPassword: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.object({ token: z.string(), expiresAt: timestampSchema }))
    .mutation(async ({ ctx, input }) => {
      const { viewer, session } = ctx
      const link = await createPasswordReset(ctx.db, { ...input, viewer, session })
      ctx.live.announce([input.userId])
      const { userId } = input
      ctx.log.info({ userId, byUserId: viewer.id, address: ctx.address }, 'password link made')
      return link
    }),

  resetSecondFactor: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { viewer, address } = ctx
      const { userId } = input
      await resetSecondFactor(ctx.db, { userId, viewer })
      ctx.live.announce([userId])
      ctx.log.info({ userId, byUserId: viewer.id, address }, 'second step reset')
    }),

  endSessions: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => endMemberSessions(ctx, { ...input, ...ctx })),
})
