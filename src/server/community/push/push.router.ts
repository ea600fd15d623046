import { z } from 'zod'
import { router, sessionProcedure } from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import {
  chooseQuietHoursSchema,
  pushStateSchema,
  pushSubscriptionSchema,
} from '#shared/schemas/push.schemas.ts'
import { readPushState, sendTest, subscribeBrowser, unsubscribeBrowser } from './push.service.ts'
import { saveQuietHours } from './push-subscription.queries.ts'
import { findVapidKeys } from './vapid-keys.queries.ts'

export const pushRouter = router({
  state: sessionProcedure
    .output(pushStateSchema)
    .query(({ ctx }) => readPushState(ctx, ctx.session)),

  /** This is a mutation, because the first call makes the keys. The public key is in base64url. */
  prepare: sessionProcedure
    .output(z.object({ publicKey: z.string() }))
    .mutation(async ({ ctx }) => ({ publicKey: (await findVapidKeys(ctx.db)).publicKey })),

  subscribe: sessionProcedure
    .input(pushSubscriptionSchema)
    .output(pushStateSchema)
    .mutation(async ({ ctx, input: subscription }) => {
      const { session } = ctx
      await subscribeBrowser(ctx, { session, subscription })
      return readPushState(ctx, session)
    }),

  /** The default of `id` is the browser of the session. */
  unsubscribe: sessionProcedure
    .input(z.object({ id: idSchema.optional() }))
    .output(pushStateSchema)
    .mutation(async ({ ctx, input: { id } }) => {
      const { session } = ctx
      await unsubscribeBrowser(ctx, { session, id })
      return readPushState(ctx, session)
    }),

  chooseQuietHours: sessionProcedure
    .input(chooseQuietHoursSchema)
    .output(pushStateSchema)
    .mutation(async ({ ctx, input: { hours } }) => {
      await saveQuietHours(ctx.db, { userId: ctx.viewer.id, hours })
      return readPushState(ctx, ctx.session)
    }),

  sendTest: sessionProcedure.output(z.void()).mutation(({ ctx }) => sendTest(ctx, ctx.session)),
})
