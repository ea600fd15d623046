import { z } from 'zod'
import { requireSelf } from '#server/account/user/user.access.ts'
import { memberProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import {
  browseNotificationsSchema,
  chooseNotificationsSchema,
  listNotificationsSchema,
  notificationChoicesSchema,
  notificationIdSchema,
  notificationSchema,
} from '#shared/schemas/community.schemas.ts'
import { findPlaces, savePlace } from './muted.queries.ts'
import { updateAllRead } from './notification.queries.ts'
import { markGroupRead, markRead, removeGroup, removeNotification } from './notification.service.ts'
import { listNotifications } from './notification-list.queries.ts'

export const notificationRouter = router({
  list: memberProcedure
    .input(listNotificationsSchema)
    .output(syncOutput(pageSchema(notificationSchema)))
    .query(({ ctx, input }) => {
      requireSelf(ctx.viewer, input.userId)
      return listNotifications(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  /** Lists notifications for the pages, which show those of a group in one line. */
  browse: memberProcedure
    .input(browseNotificationsSchema)
    .output(syncOutput(pageSchema(notificationSchema)))
    .query(({ ctx: { db, viewer }, input }) =>
      listNotifications(db, { ...input, viewer, isGrouped: true }),
    ),

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

  markGroupRead: memberProcedure
    .input(notificationIdSchema)
    .output(z.object({ updated: z.int() }))
    .mutation(async ({ ctx, input }) => {
      const updated = await markGroupRead(ctx.db, { ...input, viewer: ctx.viewer })
      ctx.live.announce([ctx.viewer.id])
      return { updated }
    }),

  deleteGroup: memberProcedure
    .input(notificationIdSchema)
    .output(z.object({ deleted: z.int() }))
    .mutation(async ({ ctx, input }) => {
      const deleted = await removeGroup(ctx.db, { ...input, viewer: ctx.viewer })
      ctx.live.announce([ctx.viewer.id])
      return { deleted }
    }),

  choices: memberProcedure
    .output(notificationChoicesSchema)
    .query(async ({ ctx }) => ({ places: await findPlaces(ctx.db, ctx.viewer.id) })),

  choose: memberProcedure
    .input(chooseNotificationsSchema)
    .output(notificationChoicesSchema)
    .mutation(async ({ ctx, input }) => {
      await savePlace(ctx.db, { ...input, userId: ctx.viewer.id })
      return { places: await findPlaces(ctx.db, ctx.viewer.id) }
    }),

  delete: memberProcedure
    .input(notificationIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await removeNotification(ctx.db, { ...input, viewer: ctx.viewer })
      ctx.live.announce([ctx.viewer.id])
    }),
})
