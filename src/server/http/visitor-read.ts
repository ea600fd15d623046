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

/** Whether the address alone says everything about the answer: nobody is signed in. */
export function isVisitorRead({ method, url, headers }: IncomingMessage, config: Config): boolean {
  if (method !== 'GET' || url === undefined || !PATHS.test(url)) return false
  if (headers.host === undefined || headers['transfer-encoding'] !== undefined) return false
  for (const name of TELLING) if (headers[name] !== undefined) return false
  if (headers.accept?.includes('jsonl')) return false
  // The name alone: whoever reads the cookies forgives spaces around it.
  return !headers.cookie?.includes(sessionCookieName(config))
}

/** What the answer to a visitor's read is kept under: the address without `_t`, and its form. */
export function visitorKey(request: IncomingMessage, config: Config): string | undefined {
  if (!isVisitorRead(request, config)) return undefined
  const { url = '', headers } = request
  const address = url.includes('_t=') ? url.replace(TIME, '$1') : url
  return `${chooseEncoding(headers['accept-encoding']) ?? ''} ${address}`
}

/** Whether the asker has the answer already. */
export function holdsTag({ headers }: IncomingMessage, etag: string): boolean {
  const held = headers['if-none-match']?.split(',') ?? []
  return held.some((tag) => tag.trim() === etag)
}
