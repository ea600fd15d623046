import { z } from 'zod'
import { isActive } from '#server/account/auth/lucia.ts'
import { requireSelf } from '#server/account/user/user.access.ts'
import type { LiveTopic } from '#server/platform/events/live-feed.ts'
import { memberProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { listVideoWork } from '#server/video/job/processing-status.ts'
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
    .output(pageSchema(notificationSchema))
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

  /**
   * At once, and again whenever they change: that the notifications are to be read again, and how far the
   * work on one's videos is. A page that was offline for a while misses nothing when it connects again. It ends with its session, and when the same member opens ten newer ones.
   */
  onChange: sessionProcedure.subscription(async function* ({ ctx, signal }) {
    let wake = () => {}
    const due = new Set<LiveTopic>(['notifications', 'work'])
    const listener = (topic: LiveTopic) => {
      due.add(topic)
      wake()
    }
    const closed = ctx.live.listen(ctx.viewer.id, {
      listener,
      signal: AbortSignal.any([ctx.closing, ...(signal ? [signal] : [])]),
    })
    closed.addEventListener('abort', () => wake(), { once: true })
    while (!closed.aborted) {
      if (due.size > 0 && !(await isActive(ctx.sessions, ctx.session.id))) throw connectionLost()
      if (due.delete('notifications')) {
        yield { changed: 'notifications' as const }
      } else if (due.delete('work')) {
        yield { work: await listVideoWork(ctx.db, ctx.viewer) }
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }),
})

/**
 * Ends a stream as a lost connection does, so that the page connects again: with the session that took the
 * old one's place, or to hear that there is none.
 */
function connectionLost(): Error {
  return new DOMException('The session is over.', 'AbortError')
}
