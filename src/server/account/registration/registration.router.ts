import { z } from 'zod'
import { openProcedure, router } from '#server/platform/trpc.ts'
import { registerSchema } from '#shared/schemas/auth.schemas.ts'
import { registrationSchema } from '#shared/schemas/desk/site.schemas.ts'
import { invitationSchema, ownUserSchema } from '#shared/schemas/user.schemas.ts'
import { readRegistration } from '../invite/invite.service.ts'
import { registerUser } from './registration.service.ts'

export const registrationRouter = router({
  register: openProcedure
    .input(registerSchema)
    .output(ownUserSchema)
    .mutation(({ ctx, input }) => registerUser(ctx, input)),

  /** A mutation: the invite's code is in no address. */
  registration: openProcedure
    .input(z.object({ invite: z.string().max(100).nullish() }))
    .output(
      z.object({
        registration: registrationSchema,
        inviteIsOpen: z.boolean(),
        needsAdmin: z.boolean(),
        invitation: invitationSchema.nullable(),
      }),
    )
    .mutation(({ ctx, input }) => readRegistration(ctx.db, input)),
})
