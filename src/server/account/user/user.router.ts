import { z } from 'zod'
import { publicProcedure, router } from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { userSchema } from '#shared/schemas/user.schemas.ts'
import { requireUser } from './user.service.ts'

export const userRouter = router({
  get: publicProcedure
    .input(z.object({ id: idSchema }))
    .output(userSchema)
    .query(({ ctx, input }) => requireUser(ctx.db, { ...input, viewer: ctx.viewer })),
})
