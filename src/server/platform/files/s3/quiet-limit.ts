class QuietError extends Error {
  constructor() {
    super('it says nothing any more')
    this.name = 'QuietError'
  }
}

/** `fetch` with idle limits; fails on truncated answers, follows no redirects, streams files. */
export function fetchWithLimit({
  answerMs,
  quietMs,
}: {
  answerMs: number
  quietMs: number
}): typeof fetch {
  return async (input, init = {}) => {
    const line = new AbortController()
    const timer = setTimeout(() => line.abort(new QuietError()), answerMs)
    try {
      const response = await fetch(input, {
        ...init,
        ...bodyOf(init, () => timer.refresh()),
        headers: { ...(init.headers as Record<string, string>), 'accept-encoding': 'identity' },
        redirect: 'manual',
        signal: line.signal,
      })
      return response.body ? withWatchedBody(response, { line, quietMs }) : response
    } finally {
      clearTimeout(timer)
    }
  }
}

function bodyOf(init: RequestInit, onSent: () => void): RequestInit & { duplex?: 'half' } {
  if (!(init.body instanceof Blob) || init.body.size === 0) return {}
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      onSent()
      controller.enqueue(piece)
    },
  })
  return { body: init.body.stream().pipeThrough(count), duplex: 'half' }
}

function withWatchedBody(
  response: Response,
  { line, quietMs }: { line: AbortController; quietMs: number },
): Response {
  const { status, statusText, headers } = response
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const length = headers.get('content-length')
  let missing = length === null ? undefined : Number(length)
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // While reading only: a viewer may pause.
        const timer = setTimeout(() => line.abort(new QuietError()), quietMs)
        const { done, value } = await reader.read().finally(() => clearTimeout(timer))
        if (value) {
          if (missing !== undefined) missing -= value.length
          controller.enqueue(value)
        }
        if (!done) return
        if (missing) throw new TypeError('The answer ended early.')
        controller.close()
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, statusText, headers })
}
