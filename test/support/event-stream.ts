import type { TestMember } from './test-site.ts'

/** Subscribes as a page does. The server must be listening. */
export async function followEvents<Change>(
  origin: string,
  subscription: { name: string; input: object; as?: TestMember | undefined; userAgent?: string },
) {
  const { name, input, as, userAgent = 'test' } = subscription
  const abort = new AbortController()
  const query = encodeURIComponent(JSON.stringify(input))
  const answer = await fetch(`${origin}/trpc/${name}?input=${query}`, {
    headers: {
      accept: 'text/event-stream',
      'user-agent': userAgent,
      ...(as && { cookie: as.cookie }),
    },
    signal: abort.signal,
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const seen: Change[] = []
  /**
   * Reads the next change.
   * @throws when the stream ends
   */
  const read = async (): Promise<Change> => {
    for (;;) {
      // Other events, such as the first, have a name.
      const match = /(?<!event: [^\n]*\n)data: (\{[^\n]*\})\n/.exec(text)
      if (match) {
        text = text.slice(match.index + match[0].length)
        const change = JSON.parse(match[1] ?? '') as Change
        seen.push(change)
        return change
      }
      const refusal = /"httpStatus":(\d+)/.exec(text)
      if (refusal) throw new Error(`The server answered ${refusal[1]}.`)
      const part = await reader?.read()
      if (!part || part.done) throw new Error('The server ended the stream.')
      text += part.value
    }
  }
  return {
    /** All changes so far. */
    seen,
    /**
     * Returns the first change that `isIt` accepts.
     * @throws after `withinMs`
     */
    until: async (isIt: (change: Change) => boolean, withinMs = 1000): Promise<Change> => {
      const late = setTimeout(() => abort.abort(new Error('Nothing came in time.')), withinMs)
      try {
        for (;;) {
          const change = await read()
          if (isIt(change)) return change
        }
      } finally {
        clearTimeout(late)
      }
    },
    /**
     * Waits until the server ends the stream.
     * @throws after `withinMs`
     */
    ended: async (withinMs = 5000): Promise<void> => {
      const late = setTimeout(() => abort.abort(new Error('It did not end in time.')), withinMs)
      try {
        for (;;) await read()
      } catch (error) {
        if (abort.signal.aborted) throw error
      } finally {
        clearTimeout(late)
      }
    },
    close: () => abort.abort(),
  }
}
