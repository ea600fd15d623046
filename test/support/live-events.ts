import type { TestMember } from './test-site.ts'

/**
 * Follows a member's live notifications as a page does, over a listening server.
 * @returns `next`, which waits for the next number of unread ones, and `close`
 */
export async function followNotifications(origin: string, member: TestMember) {
  const abort = new AbortController()
  const answer = await fetch(`${origin}/trpc/notification.onChange`, {
    headers: { cookie: member.cookie, accept: 'text/event-stream' },
    signal: abort.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: answer.status,
    /** @throws when nothing comes within `withinMs` */
    async next(withinMs = 1000): Promise<number> {
      const late = setTimeout(() => abort.abort(new Error('Nothing came in time.')), withinMs)
      try {
        for (;;) {
          const match = /"unreadCount":(\d+)[^\n]*\n/.exec(text)
          if (match) {
            text = text.slice(match.index + match[0].length)
            return Number(match[1])
          }
          const read = await reader?.read()
          if (!read || read.done) throw new Error('The server ended the stream.')
          text += read.value
        }
      } finally {
        clearTimeout(late)
      }
    },
    close: () => abort.abort(),
  }
}
