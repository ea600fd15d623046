import { findSignInSettings } from '#server/account/sign-in-settings/sign-in-settings.queries.ts'
import { adminProcedure, confirmedAdminProcedure, router } from '#server/platform/trpc.ts'
import { editSignInSettingsSchema, signInSettingsSchema } from '#shared/schemas/sign-in.schemas.ts'
import { editSignInSettings } from './sign-in-settings.service.ts'

export const signInSettingsRouter = router({
  settings: adminProcedure
    .output(signInSettingsSchema)
    .query(({ ctx }) => findSignInSettings(ctx.db)),

  edit: confirmedAdminProcedure
    .input(editSignInSettingsSchema)
    .output(signInSettingsSchema)
    .mutation(({ ctx, input }) => editSignInSettings(ctx, { ...input, viewer: ctx.viewer })),
})
