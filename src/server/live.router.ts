import { isActive } from './account/auth/lucia.ts'
import type { LiveTopic } from './platform/events/live-feed.ts'
import { router, sessionProcedure } from './platform/trpc.ts'
import { listVideoWork } from './video/job/processing-status.ts'

export const liveRouter = router({
  /**
   * The current state at once, and each change: a reconnecting page misses nothing. Ends with the
   * session, or after ten newer streams of the member.
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

/** Makes the page reconnect, with a new session or none. */
function connectionLost(): Error {
  return new DOMException('The session is over.', 'AbortError')
}
