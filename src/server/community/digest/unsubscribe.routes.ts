import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { unsubscribe } from './digest.service.ts'

const BODY_MAX = 2048
type Asked = { Querystring: { token?: unknown } }

/**
 * RFC 8058: mail programs unsubscribe by a POST without a cookie. GET shows a page, because some programs open all
 * links in an email.
 */
export async function registerUnsubscribe(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data']
  const options = { parseAs: 'string', bodyLimit: BODY_MAX } as const
  app.addContentTypeParser(forms, options, (_, _body, done) => done(null, undefined))

  app.post<Asked>('/unsubscribe', async ({ query: { token } }, reply) => {
    await unsubscribe(deps.db, typeof token === 'string' ? token : '')
    return reply
      .header('cache-control', 'no-store')
      .send('You will no longer receive summaries by email.')
  })
}
