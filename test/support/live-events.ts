import type { Notification } from '#shared/schemas/community.schemas.ts'
import type { VideoWork } from '#shared/schemas/video.schemas.ts'
import type { TestMember } from './test-site.ts'

/**
 * Follows a member's live notifications as a page does, over a listening server.
 * @returns `next`, which waits for the next change and counts the unread ones in the list, and `close`
 */
export async function followNotifications(origin: string, member: TestMember) {
  const abort = new AbortController()
  const answer = await fetch(`${origin}/trpc/live.onChange`, {
    headers: { cookie: member.cookie, accept: 'text/event-stream' },
    signal: abort.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async (pattern: RegExp, withinMs: number): Promise<string> => {
    const late = setTimeout(() => abort.abort(new Error('Nothing came in time.')), withinMs)
    try {
      for (;;) {
        const match = pattern.exec(text)
        if (match) {
          text = text.slice(match.index + match[0].length)
          return match[1] ?? ''
        }
        const part = await reader?.read()
        if (!part || part.done) throw new Error('The server ended the stream.')
        text += part.value
      }
    } finally {
      clearTimeout(late)
    }
  }
  return {
    status: answer.status,
    /** @throws when nothing comes within `withinMs` */
    next: async (withinMs = 1000): Promise<number> => {
      await read(/("changed":"notifications")[^\n]*\n/, withinMs)
      const list = await fetch(`${origin}/trpc/notification.list?input={}`, {
        headers: { cookie: member.cookie },
      })
      const { result }: { result: { data: { items: Notification[] } } } = await list.json()
      return result.data.items.filter(({ read }) => !read).length
    },
    /** Waits for the next word on the work on the member's videos. */
    nextWork: async (withinMs = 60_000): Promise<VideoWork[]> =>
      JSON.parse(await read(/data: \{"work":(\[[^\n]*\])\}\n/, withinMs)),
    close: () => abort.abort(),
  }
}
