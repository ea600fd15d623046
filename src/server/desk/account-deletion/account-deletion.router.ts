import { z } from 'zod'
import { requireSecondFactorConfirmed } from '#server/account/settings/confirm.service.ts'
import { router, sessionProcedure } from '#server/platform/trpc.ts'
import { deleteAccountSchema } from '#shared/schemas/settings.schemas.ts'
import { deleteAccount } from './account-deletion.service.ts'

/** Part of the `settings` router. It is in `desk` because a deletion affects data of all groups. */
export const accountDeletionRouter = router({
  deleteAccount: sessionProcedure
    .input(deleteAccountSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await requireSecondFactorConfirmed(ctx, ctx)
      await deleteAccount(ctx, { ...input, viewer: ctx.viewer, session: ctx.session })
      ctx.sessionCookie.clear()
    }),
})
