import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_DAYS, SESSION_DAYS_MAX } from '#shared/limits.ts'
import type { Config } from '../config.ts'

const sessionCookieName = (config: Config) => (config.secureCookies ? '__Host-clutch' : 'clutch')

const attributes = (config: Config) => ({
  path: '/',
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: config.secureCookies,
})

export function readSessionCookie(request: FastifyRequest, config: Config): string | undefined {
  return request.cookies[sessionCookieName(config)]
}

export function writeSessionCookie(
  reply: FastifyReply,
  input: { config: Config; token: string; rememberMe: boolean },
): void {
  const lifetime = input.rememberMe ? { maxAge: SESSION_DAYS * 86_400 } : {}
  reply.setCookie(sessionCookieName(input.config), input.token, {
    ...attributes(input.config),
    ...lifetime,
  })
}

export function clearSessionCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(sessionCookieName(config), attributes(config))
}

const deviceCookieName = (config: Config) => `${sessionCookieName(config)}-device`

export function readDeviceCookie(request: FastifyRequest, config: Config): string | undefined {
  return request.cookies[deviceCookieName(config)]
}

/** Outlives the session, for use after logout. */
export function writeDeviceCookie(
  reply: FastifyReply,
  { config, token }: { config: Config; token: string },
): void {
  const maxAge = SESSION_DAYS_MAX * 86_400
  reply.setCookie(deviceCookieName(config), token, { ...attributes(config), maxAge })
}

export const SIGN_IN_STEP_MS = 10 * 60_000

const stepCookieName = (config: Config) => `${sessionCookieName(config)}-sign-in`

export function readStepCookie(request: FastifyRequest, config: Config): string | undefined {
  return request.cookies[stepCookieName(config)]
}

/** Keeps the token between two steps of a sign-in. */
export function writeStepCookie(
  reply: FastifyReply,
  { config, token }: { config: Config; token: string },
): void {
  const maxAge = SIGN_IN_STEP_MS / 1000
  reply.setCookie(stepCookieName(config), token, { ...attributes(config), maxAge })
}

export function clearStepCookie(reply: FastifyReply, config: Config): void {
  reply.clearCookie(stepCookieName(config), attributes(config))
}

export function hasAuthorization(request: FastifyRequest): boolean {
  return request.headers.authorization !== undefined
}
