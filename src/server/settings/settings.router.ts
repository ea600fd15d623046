import { z } from 'zod'
import {
  changePasswordSchema,
  deleteAccountSchema,
  editProfileSchema,
  endSessionSchema,
  sessionSchema,
} from '#shared/settings.schemas.ts'
import { ownUserSchema } from '#shared/user.schemas.ts'
import { router, sessionProcedure } from '../trpc.ts'
import { deleteAccount } from './account-deletion.service.ts'
import {
  changePassword,
  editProfile,
  readSessions,
  removePicture,
  revokeSession,
} from './settings.service.ts'

export const settingsRouter = router({
  editProfile: sessionProcedure
    .input(editProfileSchema)
    .output(ownUserSchema)
    .mutation(({ ctx, input }) => editProfile(ctx, { ...input, viewer: ctx.viewer })),

  removePicture: sessionProcedure
    .input(z.object({ kind: z.enum(['avatar', 'banner']) }))
    .output(z.void())
    .mutation(({ ctx, input }) => removePicture(ctx, { ...input, viewer: ctx.viewer })),

  changePassword: sessionProcedure
    .input(changePasswordSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const { viewer, session } = ctx
      const token = await changePassword(ctx, { ...input, viewer, session })
      ctx.sessionCookie.write(token, { rememberMe: session.rememberMe })
    }),

  sessions: sessionProcedure
    .output(z.array(sessionSchema))
    .query(({ ctx }) => readSessions(ctx.db, ctx)),

  endSession: sessionProcedure
    .input(endSessionSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => revokeSession(ctx.db, { ...input, viewer: ctx.viewer })),

  deleteAccount: sessionProcedure
    .input(deleteAccountSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await deleteAccount(ctx, { ...input, viewer: ctx.viewer })
      ctx.sessionCookie.clear()
    }),
})
