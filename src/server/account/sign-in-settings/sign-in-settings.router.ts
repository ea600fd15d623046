import { openProcedure, router } from '#server/platform/trpc.ts'
import { signInWaysSchema } from '#shared/schemas/sign-in.schemas.ts'
import { readSignInWays } from './sign-in-settings.service.ts'

export const signInWaysRouter = router({
  ways: openProcedure.output(signInWaysSchema).query(async ({ ctx }) => ({
    ...(await readSignInWays(ctx.db)),
    sendsMail: ctx.mail !== undefined,
  })),
})
