import { z } from 'zod'
import { requireSelf } from '#server/account/user/user.access.ts'
import { memberProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import {
  listNotificationsSchema,
  notificationIdSchema,
  notificationSchema,
} from '#shared/schemas/community.schemas.ts'
import { listNotifications, updateAllRead } from './notification.queries.ts'
import { markRead, removeNotification } from './notification.service.ts'

export const notificationRouter = router({
  list: memberProcedure
    .input(listNotificationsSchema)
    .output(syncOutput(pageSchema(notificationSchema)))
    .query(({ ctx, input }) => {
      requireSelf(ctx.viewer, input.userId)
      return listNotifications(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  markRead: memberProcedure
    .input(notificationIdSchema)
    .output(notificationSchema)
    .mutation(async ({ ctx, input }) => {
      const notification = await markRead(ctx.db, { ...input, viewer: ctx.viewer })
      ctx.live.announce([ctx.viewer.id])
      return notification
    }),

  markAllRead: memberProcedure
    .input(z.object({ userId: idSchema.optional() }))
    .output(z.object({ updated: z.int() }))
    .mutation(async ({ ctx, input }) => {
      requireSelf(ctx.viewer, input.userId)
      const updated = await updateAllRead(ctx.db, ctx.viewer.id)
      ctx.live.announce([ctx.viewer.id])
      return { updated }
    }),

  delete: memberProcedure
    .input(notificationIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeNotification(ctx.db, { ...input, viewer: ctx.viewer })
      ctx.live.announce([ctx.viewer.id])
    }),
})
