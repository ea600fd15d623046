import { Readable } from 'node:stream'

const CONTINUED_MAX = 2

/** First and last byte; `end` if known. */
export type Sent = { body: Response['body']; start: number; end: number | undefined }

/**
 * Continues a broken answer, twice at most.
 * @param input.reopen from an offset
 * @param input.explain the final error
 */
export function continuedRead(
  first: Sent,
  input: {
    reopen: ((start: number) => Promise<Sent>) | undefined
    explain: (error: unknown) => Error
  },
): Readable {
  const { reopen, explain } = input
  const { end } = first
  let position = first.start
  let reader = first.body?.getReader()
  let continued = 0
  let isGone = false

  async function next(): Promise<Uint8Array | null> {
    for (;;) {
      try {
        const { value } = (await reader?.read()) ?? {}
        if (value) {
          position += value.length
          return value
        }
        if (isGone || end === undefined || position > end) return null
        throw new TypeError('The answer ended early.')
      } catch (error) {
        if (isGone) return null
        if (!reopen || continued === CONTINUED_MAX) throw explain(error)
      }
      continued++
      reader = (await reopen(position)).body?.getReader()
      if (isGone) await reader?.cancel().catch(() => {})
    }
  }

  return new Readable({
    read() {
      next().then(
        (piece) => this.push(piece),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      isGone = true
      Promise.resolve(reader?.cancel(error))
        .catch(() => {})
        .finally(() => done(error))
    },
  })
}
