import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { adminProcedure, confirmedAdminProcedure, router } from '#server/platform/trpc.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { timestampSchema } from '#shared/field.schemas.ts'
import {
  makePasswordLinkSchema,
  memberPartSchema,
  memberSignInSchema,
} from '#shared/schemas/desk/member.schemas.ts'
import { memberIdSchema } from '#shared/schemas/desk/moderation.schemas.ts'
import {
  createPasswordReset,
  endMemberSessions,
  readMemberSignIn,
  removeMemberPasskey,
  removeMemberTimeCodes,
  resetSecondFactor,
  revokeMemberTokens,
  unlinkMember,
} from './member-sign-in.service.ts'

export const memberSignInRouter = router({
  signIn: adminProcedure
    .input(memberIdSchema)
    .output(memberSignInSchema)
    .query(({ ctx, input }) => readMemberSignIn(ctx, input)),

  resetPassword: confirmedAdminProcedure
    .input(makePasswordLinkSchema)
    .output(z.object({ token: z.string(), expiresAt: timestampSchema }))
    .mutation(async ({ ctx, input }) => {
      const { viewer, session } = ctx
      const made = await createPasswordReset(ctx.db, { ...input, viewer, session })
      note(ctx, { ...input, event: 'password link made', notified: made.notified })
      return { token: made.token, expiresAt: made.expiresAt }
    }),

  resetSecondFactor: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const notified = await resetSecondFactor(ctx.db, { ...input, viewer: ctx.viewer })
      note(ctx, { ...input, event: 'second factor reset', notified })
    }),

  removePasskey: confirmedAdminProcedure
    .input(memberPartSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const notified = await removeMemberPasskey(ctx, { ...input, viewer: ctx.viewer })
      note(ctx, { ...input, event: 'second factor changed', notified })
    }),

  removeTimeCodes: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const notified = await removeMemberTimeCodes(ctx, { ...input, viewer: ctx.viewer })
      note(ctx, { ...input, event: 'second factor changed', notified })
    }),

  unlink: confirmedAdminProcedure
    .input(memberPartSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const notified = await unlinkMember(ctx.db, { ...input, viewer: ctx.viewer })
      note(ctx, { ...input, event: 'provider unlinked', notified })
    }),

  revokeTokens: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const notified = await revokeMemberTokens(ctx.db, { ...input, viewer: ctx.viewer })
      note(ctx, { ...input, event: 'all API tokens revoked', notified })
    }),

  endSessions: confirmedAdminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => endMemberSessions(ctx, { ...input, ...ctx })),
})

function note(
  { live, log, address, viewer }: Pick<Context, 'live' | 'log' | 'address'> & { viewer: Viewer },
  act: { userId: number; event: string; notified: number[]; allWays?: boolean },
): void {
  const { userId, event, notified, allWays } = act
  live.announce(notified)
  log.info({ userId, byUserId: viewer.id, address, ...(allWays && { allWays }) }, event)
}
