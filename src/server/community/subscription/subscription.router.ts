import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import { subscribeSchema, subscriptionSchema } from '#shared/schemas/community.schemas.ts'
import { listSubscribedChannels } from './subscription.queries.ts'
import { subscribe, unsubscribe } from './subscription.service.ts'

const channelSchema = z.object({
  id: z.int(),
  username: z.string(),
  displayName: z.string(),
  avatarUrl: z.string().nullable(),
})

export const subscriptionRouter = router({
  channels: memberProcedure
    .output(z.array(channelSchema))
    .query(({ ctx }) => listSubscribedChannels(ctx.db, ctx.viewer.id)),

  create: memberProcedure
    .input(subscribeSchema)
    .output(subscriptionSchema)
    .mutation(({ ctx, input }) => subscribe(ctx, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(subscribeSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => unsubscribe(ctx, { ...input, viewer: ctx.viewer })),
})
