import type { FastifyInstance } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { parseId } from './page-head.ts'

const TIME = /^[\dhms:]{1,12}$/

type ShortRequest = { Params: { id: string }; Querystring: { t?: unknown } }

/** Keeps `?t=`; the watch page reports a missing video. */
export async function registerShortLinks(app: FastifyInstance): Promise<void> {
  app.get<ShortRequest>('/v/:id', (request, reply) => {
    const id = parseId(request.params.id)
    if (id === undefined) throw new AppError('not-found', 'There is nothing at this address.')
    const { t } = request.query
    const time = typeof t === 'string' && TIME.test(t) ? `?t=${t}` : ''
    return reply
      .header('cache-control', 'public, max-age=86400')
      .redirect(`/video/${id}${time}`, 301)
  })
}
