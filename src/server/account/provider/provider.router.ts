import { z } from 'zod'
import {
  adminProcedure,
  confirmedAdminProcedure,
  confirmedProcedure,
  openProcedure,
  router,
  sessionProcedure,
} from '#server/platform/trpc.ts'
import {
  beginProviderSchema,
  createProviderSchema,
  editProviderSchema,
  linkedAccountsSchema,
  providerIdSchema,
  providerOutcomeSchema,
  providerSchema,
  registerByProviderSchema,
} from '#shared/schemas/provider.schemas.ts'
import { ownUserSchema } from '#shared/schemas/user.schemas.ts'
import { createProvider, editProvider, readProviders, removeProvider } from './provider.service.ts'
import { readLinkedAccounts, unlinkIdentity } from './provider-link.service.ts'
import { registerByProvider } from './provider-registration.service.ts'
import { beginVisit, readOutcome } from './provider-visit.service.ts'

export const providerRouter = router({
  /** The service requires a session for links and confirmations. */
  begin: openProcedure
    .input(beginProviderSchema)
    .output(z.object({ url: z.string() }))
    .mutation(({ ctx, input }) => beginVisit(ctx, input)),

  /** A mutation, because the answer depends on a cookie and must not be cached. */
  outcome: openProcedure
    .output(providerOutcomeSchema.nullable())
    .mutation(({ ctx }) => readOutcome(ctx)),

  register: openProcedure
    .input(registerByProviderSchema)
    .output(z.object({ user: ownUserSchema, next: z.string() }))
    .mutation(({ ctx, input }) => registerByProvider(ctx, input)),

  linked: sessionProcedure
    .output(linkedAccountsSchema)
    .query(({ ctx }) => readLinkedAccounts(ctx.db, ctx)),

  unlink: confirmedProcedure
    .input(providerIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => unlinkIdentity(ctx, { ...input, viewer: ctx.viewer })),

  list: adminProcedure
    .output(z.array(providerSchema))
    .query(({ ctx }) => readProviders(ctx.db, ctx)),

  create: confirmedAdminProcedure
    .input(createProviderSchema)
    .output(providerIdSchema)
    .mutation(async ({ ctx, input }) => ({
      id: await createProvider(ctx, { ...input, viewer: ctx.viewer }),
    })),

  edit: confirmedAdminProcedure
    .input(editProviderSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => editProvider(ctx, { ...input, viewer: ctx.viewer })),

  remove: confirmedAdminProcedure
    .input(providerIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeProvider(ctx, { ...input, viewer: ctx.viewer })),
})
