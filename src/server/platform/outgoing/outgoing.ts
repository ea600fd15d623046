/**
 * Every request to an address that an admin or member gave goes through here. See
 * docs/decisions/0076-outgoing-requests.md.
 */
import { lookup as resolveName } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isListedHost } from '#shared/local-host.ts'
import { kindOfAddress } from './address.ts'

const USER_AGENT = 'Clutch'
const DEFAULT_MS = 10_000
const DEFAULT_BYTES = 64 * 1024
const REDIRECTS_MAX = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export type OutgoingRequest = {
  url: string
  /** Refuses also the hosts that an admin listed, for addresses that members choose. */
  isPublicOnly?: boolean
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Milliseconds for everything, redirects included. */
  timeoutMs?: number
  /** Largest answer in bytes. */
  maxBytes?: number
  /** Answers are cut at `maxBytes` instead of refused. */
  cutsAnswer?: boolean
  /** Longest time without a byte in milliseconds. */
  idleMs?: number
  /** Also follows redirects to other hosts, each checked like the first. Other origins get no credentials. */
  followsHosts?: boolean
  /** Gets the pieces of an answer that is no redirect, whose `body` is then empty. What it throws ends the request. */
  receive?: (piece: Buffer, answer: Omit<OutgoingAnswer, 'body'>) => Promise<void>
  signal?: AbortSignal
}

export type OutgoingAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

type Address = { address: string; family: number }

export type OutgoingDeps = {
  log: { info: (fields: object, message: string) => void }
  /** Lists the hosts that may be on the local network and without https, see `readHost`. */
  localHosts: () => Promise<readonly string[]>
  /** Resolves a name to all its addresses. */
  resolve?: (host: string) => Promise<Address[]>
}

export type Outgoing = (request: OutgoingRequest) => Promise<OutgoingAnswer>

/** The message is a sentence for the admin or member who gave the address. */
export class OutgoingError extends Error {
  /** A host that is refused only because it is not listed. */
  readonly unlistedHost: string | undefined
  /** The receiver may have acted on the request. */
  readonly wasSent: boolean
  /** A later request may succeed. */
  readonly isPassing: boolean

  constructor(
    message: string,
    {
      unlistedHost,
      wasSent = false,
      isPassing = false,
    }: { unlistedHost?: string; wasSent?: boolean; isPassing?: boolean } = {},
  ) {
    super(message)
    this.unlistedHost = unlistedHost
    this.wasSent = wasSent
    this.isPassing = isPassing
  }
}

const LIST_IT = "An admin can allow it in the site's settings: 'Hosts on the local network'."

/**
 * Returns a function that sends a request. It connects to the address that was checked, so that a
 * name cannot point elsewhere between the check and the connection.
 * @throws OutgoingError for a refused address, and an answer that is too large or late
 */
export function createOutgoing({ log, localHosts, resolve = resolveAll }: OutgoingDeps): Outgoing {
  return async (asked) => {
    const { timeoutMs = DEFAULT_MS, method = 'GET' } = asked
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = asked.signal ? AbortSignal.any([asked.signal, timeout]) : timeout
    const began = performance.now()
    const host = hostOf(asked.url)
    const progress = { wasSent: false }
    const note = (outcome: object) => {
      const ms = Math.round(performance.now() - began)
      log.info({ host, method, ms, ...outcome }, 'outgoing request')
    }
    try {
      const hosts = asked.isPublicOnly ? [] : await localHosts()
      const answer = await follow({ ...asked, method, signal, hosts, progress }, resolve)
      note({ status: answer.status, bytes: answer.body.length })
      return answer
    } catch (error) {
      const shown = timeout.aborted
        ? new OutgoingError(`${host} did not answer in time.`, { ...progress, isPassing: true })
        : error
      note({ error: (shown as Error).message })
      throw shown
    }
  }
}

type Sent = OutgoingRequest & {
  method: string
  signal: AbortSignal
  hosts: readonly string[]
  /** Set when a connection is ready for the request. */
  progress: { wasSent: boolean }
}
type Resolve = NonNullable<OutgoingDeps['resolve']>

async function follow(asked: Sent, resolve: Resolve): Promise<OutgoingAnswer> {
  let url = readUrl(asked.url)
  let headers = asked.headers ?? {}
  for (let redirects = 0; ; redirects++) {
    const address = await choose(url, asked, resolve)
    const answer = await send(url, address, { ...asked, headers })
    const location = targetOf(answer)
    if (location === undefined) return answer
    if (asked.method !== 'GET') throw new OutgoingError(`${url.host} redirects the request.`)
    const next = readUrl(location, url)
    if (next.host !== url.host && !asked.followsHosts) {
      throw new OutgoingError(`${url.host} redirects to another host.`)
    }
    // Another protocol or port is another receiver, and http would show the credentials to everybody in between.
    if (next.origin !== url.origin) headers = withoutCredentials(headers)
    if (redirects === REDIRECTS_MAX) throw new OutgoingError(`${url.host} redirects too often.`)
    url = next
  }
}

/** @returns undefined for an answer that is no redirect */
function targetOf({ status, headers }: Omit<OutgoingAnswer, 'body'>): string | undefined {
  return REDIRECTS.has(status) ? headers.location : undefined
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !/^(?:authorization|cookie)$/i.test(name))
  return Object.fromEntries(kept)
}

function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new OutgoingError('The address must begin with https:// and have no name or password.')
  }
  return url
}

const hostOf = (text: string) => URL.parse(text)?.host ?? ''

/** Resolves the name once and returns the first address, provided that all may be asked. */
async function choose(
  url: URL,
  { hosts, isPublicOnly = false, signal }: Pick<Sent, 'hosts' | 'isPublicOnly' | 'signal'>,
  resolve: Resolve,
): Promise<Address> {
  const { protocol, host, hostname } = url
  const isListed = isListedHost(hosts, url)
  const refuse = (reason: string): never => {
    if (isPublicOnly) throw new OutgoingError(`${host} ${reason}.`)
    throw new OutgoingError(`${host} ${reason}. ${LIST_IT}`, { unlistedHost: host })
  }
  if (protocol !== 'https:' && !isListed) refuse('must be asked with https')
  const name = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(name)
  const found = family === 0 ? await within(signal, resolve(name)) : [{ address: name, family }]
  const [first] = found
  if (!first) throw new OutgoingError(`There is no host ${host}.`, { isPassing: true })
  const kinds = found.map(({ address }) => kindOfAddress(address))
  if (kinds.includes('forbidden')) {
    throw new OutgoingError(`${host} is on a network that may not be asked.`)
  }
  if (kinds.includes('local') && !isListed) refuse('is on the local network')
  return first
}

/** Stops waiting when `signal` aborts. The DNS lookup itself cannot be stopped. */
function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((done, fail) => {
    const stop = () => fail(new OutgoingError('The request was ended.'))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(done, fail).finally(() => signal.removeEventListener('abort', stop))
  })
}

async function resolveAll(host: string): Promise<Address[]> {
  try {
    return await resolveName(host, { all: true })
  } catch {
    return []
  }
}

function send(url: URL, { address, family }: Address, asked: Sent): Promise<OutgoingAnswer> {
  const { method, headers, body, signal, progress, idleMs } = asked
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const lookup: LookupFunction = (_name, { all }, callback) =>
    all ? callback(null, [{ address, family }]) : callback(null, address, family)
  return new Promise((done, fail) => {
    const options = { method, signal, lookup, agent: false }
    const outgoing = request(url, options, (response) => {
      readBody(response, url.host, asked).then(
        (read) => done({ status: response.statusCode ?? 0, headers: response.headers, body: read }),
        (error) => fail(isIdle ? tooSlow() : error),
      )
    })
    let isIdle = false
    const failed = (sentence: string) =>
      new OutgoingError(`${url.host} ${sentence}.`, { ...progress, isPassing: true })
    const tooSlow = () => failed('sends nothing any more')
    if (idleMs !== undefined) {
      outgoing.setTimeout(idleMs, () => {
        isIdle = true
        outgoing.destroy()
      })
    }
    outgoing.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        progress.wasSent = true
      })
    })
    outgoing.on('error', () => fail(isIdle ? tooSlow() : failed('cannot be reached')))
    const given = { 'user-agent': USER_AGENT, ...headers }
    for (const [name, value] of Object.entries(given)) outgoing.setHeader(name, value)
    outgoing.end(body)
  })
}

async function readBody(
  response: IncomingMessage,
  host: string,
  { maxBytes = DEFAULT_BYTES, cutsAnswer = false, receive }: OutgoingRequest,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const answer = { status: response.statusCode ?? 0, headers: response.headers }
  if (targetOf(answer) !== undefined) {
    // Only the address is of use, and the limit may be that of a large file.
    response.destroy()
    return Buffer.alloc(0)
  }
  let bytes = 0
  let refusal: unknown
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length
      const excess = bytes - maxBytes
      if (excess > 0 && !cutsAnswer) {
        throw new OutgoingError(`${host} answers with too much.`, { wasSent: true })
      }
      const piece = (chunk as Buffer).subarray(0, (chunk as Buffer).length - Math.max(0, excess))
      if (!receive) chunks.push(piece)
      else {
        await receive(piece, answer).catch((error: unknown) => {
          refusal = error
          throw error
        })
      }
      // Leaving the loop ends the connection.
      if (excess >= 0 && cutsAnswer) break
    }
  } catch (error) {
    response.destroy()
    if (refusal !== undefined) throw refusal
    throw error instanceof OutgoingError
      ? error
      : new OutgoingError(`${host} broke off its answer.`, { wasSent: true, isPassing: true })
  }
  return Buffer.concat(chunks)
}
