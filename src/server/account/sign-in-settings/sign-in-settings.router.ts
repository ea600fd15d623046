import {
  adminProcedure,
  confirmedAdminProcedure,
  openProcedure,
  router,
} from '#server/platform/trpc.ts'
import {
  editSignInSettingsSchema,
  signInSettingsSchema,
  signInWaysSchema,
} from '#shared/schemas/sign-in.schemas.ts'
import { findSignInSettings } from './sign-in-settings.queries.ts'
import { editSignInSettings, readSignInWays } from './sign-in-settings.service.ts'

export const signInSettingsRouter = router({
  ways: openProcedure.output(signInWaysSchema).query(async ({ ctx }) => ({
    ...(await readSignInWays(ctx.db)),
    sendsMail: ctx.mail !== undefined,
  })),

  settings: adminProcedure
    .output(signInSettingsSchema)
    .query(({ ctx }) => findSignInSettings(ctx.db)),

  edit: confirmedAdminProcedure
    .input(editSignInSettingsSchema)
    .output(signInSettingsSchema)
    .mutation(({ ctx, input }) => editSignInSettings(ctx, { ...input, viewer: ctx.viewer })),
})
