import { isActive } from './account/auth/lucia.ts'
import type { LiveTopic } from './platform/events/live-feed.ts'
import { router, sessionProcedure } from './platform/trpc.ts'
import { listVideoWork } from './video/job/processing-status.ts'

/** The live events of an open page: it stands above the wings, as each of them may have something to report. */
export const liveRouter = router({
  /**
   * At once, and again whenever they change: that the notifications are to be read again, and how far the
   * work on one's videos is. A page that was offline for a while misses nothing when it connects again. It
   * ends with its session, and when the same member opens ten newer ones.
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
        yield { work: await listVideoWork(ctx, ctx.viewer) }
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
