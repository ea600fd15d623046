import type { IncomingMessage } from 'node:http'
import { sessionCookieName } from '../auth/session-cookie.ts'
import type { Config } from '../config.ts'
import { chooseEncoding } from './compression.ts'

const PATHS = /^\/(api\/(videos|users|search|categories)|trpc)(\/|\?|$)/
const TIME = /^([^?]*\?(?:[^?]*&)?)_t=[^&?]*(?:&|$)/
/** They ask for another form of an answer, or are refused for what they say. */
const TELLING = [
  'authorization',
  'trpc-accept',
  'content-type',
  'content-length',
  'expect',
] as const

/** What is public, and a member's own marks on it: such answers are made of the database's rows alone. */
const MEMBERS_PATHS =
  /^\/api\/(videos(\/\d+(\/comments)?|\/category\/[^/?]+)?|users\/\d+(\/videos)?|categories)(\?|$)/
const MEMBERS_PROCEDURES = new Set([
  ...['video.list', 'video.listByCategory', 'video.listByUser', 'video.get', 'video.recommended'],
  ...['video.categories', 'comment.list', 'comment.replies', 'comment.pinned', 'user.get'],
  ...['site.settings', 'site.rules', 'explore.games', 'explore.tags', 'explore.trending'],
])

/** Who asks, as far as the request itself says, and what the answer is kept under. */
export type KeptRead = { who: 'visitor' | 'member'; key: string }

/**
 * A read whose answer may be kept: of a visitor the address says everything about it, of somebody who sends
 * a session's cookie the address and the whole header of cookies, to the letter.
 */
export function toKeptRead(request: IncomingMessage, config: Config): KeptRead | undefined {
  const { method, url, headers } = request
  if (method !== 'GET' || url === undefined || !PATHS.test(url)) return undefined
  if (headers.host === undefined || headers['transfer-encoding'] !== undefined) return undefined
  for (const name of TELLING) if (headers[name] !== undefined) return undefined
  if (headers.accept?.includes('jsonl')) return undefined
  const address = url.includes('_t=') ? url.replace(TIME, '$1') : url
  const form = `${chooseEncoding(headers['accept-encoding']) ?? ''} ${address}`
  const { cookie } = headers
  // The name alone: whoever reads the cookies forgives spaces around it.
  if (!cookie?.includes(sessionCookieName(config))) return { who: 'visitor', key: form }
  // No header holds a line's end.
  return { who: 'member', key: `${cookie}\n${form}` }
}

/** Whether a member's answer under this address is kept: all of the calls of a batch are to be such. */
export function isKeptForMembers(url: string): boolean {
  if (!url.startsWith('/trpc/')) return MEMBERS_PATHS.test(url)
  const [path = ''] = url.slice('/trpc/'.length).split('?')
  return path.split(',').every((name) => MEMBERS_PROCEDURES.has(name))
}

/** Whether the asker has the answer already. */
export function holdsTag({ headers }: IncomingMessage, etag: string): boolean {
  const held = headers['if-none-match']
  return held?.split(',').some((tag) => tag.trim() === etag) ?? false
}
