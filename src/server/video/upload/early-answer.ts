import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { describeFailure } from '#server/platform/trpc.ts'

/**
 * Answers while the request is still being read: the link in the first line, how the upload ended
 * in the second, together one JSON object. The answer stays open until then, as many programs stop
 * sending once they have a whole answer.
 */
export function createEarlyAnswer(reply: FastifyReply) {
  const body = new PassThrough()
  let hasBegun = false
  return {
    hasBegun: () => hasBegun,

    begin({ videoId, url }: { videoId: number; url: string }): void {
      hasBegun = true
      body.write(`${JSON.stringify({ videoId, url }).slice(0, -1)},\n`)
      void reply
        .code(201)
        .headers({ location: url, 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
        .type('application/json; charset=utf-8')
        .send(body)
    },

    complete: () => void body.end('"state":"completed"}\n'),

    fail(error: unknown): void {
      const { message } = describeFailure(error)
      body.end(`"state":"failed","error":${JSON.stringify(message)}}\n`)
    },
  }
}
