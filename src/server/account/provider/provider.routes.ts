import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext } from '#server/platform/context.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { endProviderSessions } from './provider-logout.service.ts'
import { endVisit } from './provider-visit.service.ts'

type WithId = { Params: { id: string } }

/** Registers the addresses that providers call or redirect browsers to. */
export async function registerProviderRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_, body, done) => done(null, new URLSearchParams(String(body))),
  )

  app.get<WithId>('/auth/provider/:id/callback', async (request, reply) => {
    const ctx = await createContext(deps, { req: request, res: reply })
    const search = request.url.split('?').slice(1).join('?')
    return keptFromCaches(reply).redirect(await endVisit(ctx, { id: idOf(request), search }))
  })

  app.post<WithId>('/auth/provider/:id/logout', async (request, reply) => {
    const ctx = await createContext(deps, { req: request, res: reply })
    const { body } = request
    const token = body instanceof URLSearchParams ? body.get('logout_token') : null
    if (!token) throw new AppError('invalid', 'The logout token is missing.')
    try {
      await endProviderSessions(ctx, { id: idOf(request), token })
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'unprocessable') throw error
      throw new AppError('invalid', 'The logout token is not valid.', {
        ...(error.reason !== undefined && { reason: error.reason }),
      })
    }
    return keptFromCaches(reply).send()
  })
}

const keptFromCaches = (reply: FastifyReply) => reply.header('cache-control', 'no-store')

function idOf({ params }: FastifyRequest<WithId>): number {
  return /^[1-9]\d{0,14}$/.test(params.id) ? Number(params.id) : 0
}
