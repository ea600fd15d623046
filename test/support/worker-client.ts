import { PROTOCOL } from '#server/video/worker/worker-protocol.ts'

/** A job as a worker is given it, as far as tests look at it. */
export type Order = { jobId: number; attempt: number }
export type WorkerClient = ReturnType<typeof asWorker>

/** Asks a site as its worker's program does, one call at a time. */
export function asWorker({ origin, token }: { origin: string; token: string }) {
  const authorization = `Bearer ${token}`
  const ask = (path: string, json: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${origin}/api/worker/${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(json),
      ...(signal && { signal }),
    })

  return {
    ask,

    async claim(signal?: AbortSignal, abilities: object = {}): Promise<Order> {
      const said = { protocol: PROTOCOL, kinds: ['transcode', 'ladder'], ...abilities }
      const answer = await ask('claim', said, signal)
      return ((await answer.json()) as { order: Order }).order
    },

    finish: ({ jobId, attempt }: Order, result: object): Promise<Response> =>
      ask(`jobs/${jobId}/${attempt}/done`, { result }),

    /** Sends an output in one piece. @param file.name as it stands in the address */
    async send(
      { jobId, attempt }: Order,
      { name, bytes }: { name: string; bytes: Buffer },
    ): Promise<Response> {
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(bytes)))
      return fetch(`${origin}/api/worker/jobs/${jobId}/${attempt}/outputs/${name}?offset=0`, {
        method: 'POST',
        headers: {
          authorization,
          'content-type': 'application/octet-stream',
          'content-digest': `sha-256=:${digest.toString('base64')}:`,
        },
        body: new Uint8Array(bytes),
      })
    },
  }
}
