import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import { hasAuthorization, readSessionCookie } from '../../request/credentials.ts'
import { nameRequest } from '../request-id.ts'

/** Answers that are no pages load nothing. */
const POLICY_OF_FAILURES = "default-src 'none';base-uri 'none';frame-ancestors 'none'"

/** Also keeps members' answers out of shared caches, unless the route allows it. */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'config' | 'media'>,
): Promise<void> {
  const { config } = deps
  await app.register(fastifyHelmet, { ...optionsOf(deps), global: false })
  let headers: Record<string, string> | undefined
  app.addHook('onRequest', async (request, reply) => {
    headers ??= await workOutHeaders(reply)
    reply.headers(headers)
    if (
      hasAuthorization(request) ||
      (request.headers.cookie && readSessionCookie(request, config))
    ) {
      reply.header('cache-control', 'private')
    }
  })
}

/** The plugin would do it per request. */
async function workOutHeaders(reply: FastifyReply): Promise<Record<string, string>> {
  await reply.helmet()
  const headers = Object.entries(reply.raw.getHeaders())
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}

export async function showElsewhere(_: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cross-origin-resource-policy', 'cross-origin')
}

/** For errors before the hook above. */
export function secureFailure(reply: FastifyReply): FastifyReply {
  nameRequest(reply).header('x-content-type-options', 'nosniff')
  if (reply.hasHeader('content-security-policy')) return reply
  return reply.header('content-security-policy', POLICY_OF_FAILURES)
}

/** A CDN, and a store to which browsers are redirected. */
export function listMediaOrigins({ config, media }: Pick<AppDeps, 'config' | 'media'>): string[] {
  const { publicUrl, delivery } = config.media
  const stores = delivery === 'redirect' ? media.remote?.origin.split(' ') : undefined
  return [publicUrl, ...(stores ?? [])].filter((origin) => origin !== undefined)
}

function optionsOf(deps: Pick<AppDeps, 'config' | 'media'>) {
  const https = deps.config.secureCookies
  const elsewhere = listMediaOrigins(deps)
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Mantine writes responsive rules in style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...elsewhere],
        mediaSrc: ["'self'", 'blob:', ...elsewhere],
        connectSrc: ["'self'", ...elsewhere],
        fontSrc: ["'self'"],
        workerSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
      },
    },
    strictTransportSecurity: https,
    // No effect on plain HTTP, where browsers warn.
    crossOriginOpenerPolicy: https,
    originAgentCluster: https,
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
  }
}
