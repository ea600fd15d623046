import { z } from 'zod'
import {
  confirmedProcedure,
  memberProcedure,
  router,
  sessionProcedure,
} from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import {
  apiTokenSchema,
  createApiTokenSchema,
  createdApiTokenSchema,
} from '#shared/schemas/api-token.schemas.ts'
import { listApiTokens } from './api-token.queries.ts'
import {
  createApiToken,
  revokeApiToken,
  revokeApiTokens,
  revokeOwnToken,
} from './api-token.service.ts'

export const apiTokenRouter = router({
  list: sessionProcedure
    .output(z.array(apiTokenSchema))
    .query(({ ctx }) => listApiTokens(ctx.db, ctx.viewer.id)),

  create: confirmedProcedure
    .input(createApiTokenSchema)
    .output(createdApiTokenSchema)
    .mutation(({ ctx, input }) => createApiToken(ctx, { ...input, viewer: ctx.viewer })),

  revoke: sessionProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => revokeApiToken(ctx, { ...input, viewer: ctx.viewer })),

  revokeOwn: memberProcedure.output(z.void()).mutation(({ ctx }) => revokeOwnToken(ctx)),

  revokeAll: confirmedProcedure
    .output(z.void())
    .mutation(({ ctx }) => revokeApiTokens(ctx, { viewer: ctx.viewer })),
})
