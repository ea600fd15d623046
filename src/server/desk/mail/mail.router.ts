import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { mailStateSchema } from '#shared/schemas/email.schemas.ts'
import { readMailState, sendTestMail } from './mail.service.ts'

export const mailRouter = router({
  state: adminProcedure.output(mailStateSchema).query(({ ctx }) => readMailState(ctx)),

  sendTest: adminProcedure
    .output(z.object({ address: z.string() }))
    .mutation(({ ctx }) => sendTestMail(ctx, { viewer: ctx.viewer })),
})
