import { z } from 'zod'
import { adminProcedure, confirmedAdminProcedure, router } from '#server/platform/trpc.ts'
import {
  chatPostSchema,
  createdWebhookSchema,
  createWebhookSchema,
  deliverySchema,
  editWebhookSchema,
  webhookIdSchema,
  webhookSecretSchema,
  webhooksSchema,
} from '#shared/schemas/desk/webhook.schemas.ts'
import {
  createWebhook,
  editWebhook,
  postAgain,
  readChatPosts,
  readDeliveries,
  readWebhooks,
  removeWebhook,
  renewSecret,
  sendAgain,
  sendTest,
} from './webhook.service.ts'

export const webhookRouter = router({
  list: adminProcedure.output(webhooksSchema).query(({ ctx }) => readWebhooks(ctx)),

  deliveries: adminProcedure
    .input(webhookIdSchema)
    .output(z.array(deliverySchema))
    .query(({ ctx, input }) => readDeliveries(ctx.db, input.id)),

  posts: adminProcedure
    .input(webhookIdSchema)
    .output(z.array(chatPostSchema))
    .query(({ ctx, input }) => readChatPosts(ctx.db, input.id)),

  create: confirmedAdminProcedure
    .input(createWebhookSchema)
    .output(createdWebhookSchema)
    .mutation(({ ctx, input }) => createWebhook(ctx, { ...input, viewer: ctx.viewer })),

  edit: confirmedAdminProcedure
    .input(editWebhookSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => editWebhook(ctx, { ...input, viewer: ctx.viewer })),

  renewSecret: confirmedAdminProcedure
    .input(webhookIdSchema)
    .output(webhookSecretSchema)
    .mutation(({ ctx, input }) => renewSecret(ctx, { ...input, viewer: ctx.viewer })),

  remove: confirmedAdminProcedure
    .input(webhookIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeWebhook(ctx, { ...input, viewer: ctx.viewer })),

  sendTest: adminProcedure
    .input(webhookIdSchema)
    .output(deliverySchema)
    .mutation(({ ctx, input }) => sendTest(ctx, input.id)),

  sendAgain: adminProcedure
    .input(z.object({ deliveryId: z.int() }))
    .output(z.void())
    .mutation(({ ctx, input }) => sendAgain(ctx, input.deliveryId)),

  postAgain: adminProcedure
    .input(z.object({ postId: z.int() }))
    .output(z.void())
    .mutation(({ ctx, input }) => postAgain(ctx, input.postId)),
})
