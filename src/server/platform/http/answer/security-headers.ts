import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import { hasAuthorization, readSessionCookie } from '../../request/credentials.ts'
import { nameRequest } from '../request-id.ts'

/** An answer that is no page needs nothing at all. */
const POLICY_OF_FAILURES = "default-src 'none';base-uri 'none';frame-ancestors 'none'"

/**
 * Says to browsers, with every answer, what a page of ours may load, who may frame it and who may use it. What
 * a signed-in user is answered is not for caches between, unless its route says otherwise.
 */
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

/** They are the same for every request; the plugin would compute each of them again. */
async function workOutHeaders(reply: FastifyReply): Promise<Record<string, string>> {
  await reply.helmet()
  const headers = Object.entries(reply.raw.getHeaders())
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]))
}

/** Lets pages of other sites show what a route answers: pictures, videos, the embedded player. */
export async function showElsewhere(_: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cross-origin-resource-policy', 'cross-origin')
}

/** For what the framework refuses before the headers above are set. */
export function secureFailure(reply: FastifyReply): FastifyReply {
  nameRequest(reply).header('x-content-type-options', 'nosniff')
  if (reply.hasHeader('content-security-policy')) return reply
  return reply.header('content-security-policy', POLICY_OF_FAILURES)
}

/** Where pictures and videos come from besides the site: a CDN, and a store that browsers are sent to. */
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
        // Mantine writes its responsive rules into style elements.
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
    // Browsers complain about these two on plain HTTP, where they have no effect.
    crossOriginOpenerPolicy: https,
    originAgentCluster: https,
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' as const },
  }
}
