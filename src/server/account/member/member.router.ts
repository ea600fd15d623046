import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import {
  listMembersSchema,
  memberSchema,
  setQuotaSchema,
} from '#shared/schemas/desk/member.schemas.ts'
import { listMembers } from './member.queries.ts'
import { setQuota } from './member.service.ts'

export const memberRouter = router({
  list: adminProcedure
    .input(listMembersSchema)
    .output(pageSchema(memberSchema))
    .query(({ ctx, input }) => listMembers(ctx.db, input)),

  setQuota: adminProcedure
    .input(setQuotaSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => setQuota(ctx.db, { ...input, viewer: ctx.viewer })),
})
