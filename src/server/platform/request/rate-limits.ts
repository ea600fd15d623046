import type { FastifyRequest } from 'fastify'
import { MAX_BULK_VIDEOS, SQUAD_NOTICES_PER_DAY } from '#shared/limits.ts'
import { TOO_MANY_REACTIONS } from '#shared/reactions.ts'
import { createOutcomeLimit } from '../cluster/outcome-limit.ts'
import { createLocalRateLimit, createRateLimit, type LimitOptions } from '../cluster/rate-limit.ts'
import type { Database } from '../db/engine.ts'
import type { Identity } from '../viewer.ts'
import { clientNetwork } from './client-address.ts'
import { hasAuthorization } from './credentials.ts'

/** Unlimited: a video takes many requests. Missing files count. */
const FILE_ROUTES = /^\/((media|arriving|assets)|s\/:token(\/:grant)?\/media)\//
/** Many calls; a limit of their own prevents guessing tokens. */
const WORKER_CALLS = '/api/worker/'
/** A provider sends one request for each session that ends, all from its own address. */
const PROVIDER_LOGOUT = '/api/auth/provider/:id/logout'
/** For load balancers, perhaps from the address that visitors share; cheap. */
const PROBES = new Set(['/api/health', '/api/ready'])

export type RateLimits = ReturnType<typeof createRateLimits>

/** @param input.scale of every limit */
export function createRateLimits({ db, scale }: { db: Database; scale: number }) {
  const limitBy = (options: LimitOptions) => createRateLimit(db, options)
  const limitOutcomes = (options: LimitOptions) => createOutcomeLimit(db, options)
  const scaled = (max: number) => Math.max(1, Math.floor(max * scale))
  const tooFast = 'That was too fast. Please wait a moment and try again.'
  const failures = 'Too many failed attempts. Please wait a few minutes and try again.'
  const codes =
    'Too many wrong codes for this account. Use a recovery code or a passkey, or try again tomorrow.'
  const accounts = 'Too many accounts were made from here. Please try again later.'
  const conflicts = 'Too many names that are in use were tried from here. Please try again later.'
  const emails = 'Too many emails in use were tried. Please try again later.'
  const links =
    'Too many links that do not work were tried. Please wait a few minutes and try again.'
  const videos = 'These are many videos at once. Please wait a moment and try again.'
  const passwordLinks = 'Too many links were requested from here. Please try again later.'
  const deviceCodes = 'Too many codes were requested from here. Please try again later.'
  const deviceGuesses = 'Too many wrong codes. Please wait a few minutes and try again.'
  const rooms = 'You have opened many rooms in the last hour. Please use one of them, or wait.'
  const addresses = 'You have given many addresses in the last hour. Please try again later.'
  const mails = 'Too many emails were requested. Please try again in an hour.'
  const limit = (name: string, [max, windowSeconds]: [number, number], sentence: string) => ({
    ...{ name, max: scaled(max), windowSeconds, sentence },
  })
  return {
    reads: limitBy(limit('reads', [300, 10], tooFast)),
    writes: limitBy(limit('writes', [30, 10], tooFast)),
    chunks: limitBy(limit('chunks', [1000, 10], tooFast)),
    /** Counts each video; one full call is always allowed. */
    bulkVideos: limitBy({
      ...limit('bulkVideos', [3 * MAX_BULK_VIDEOS, 60], videos),
      max: Math.max(MAX_BULK_VIDEOS, scaled(3 * MAX_BULK_VIDEOS)),
    }),
    /** Limits how often a member adds a reaction to a video, including reactions taken back. */
    reactions: limitBy(limit('reactions', [60, 3600], TOO_MANY_REACTIONS)),
    /**
     * Counts per squad and member, and for squad views per member and recording. What goes beyond is
     * stored without a notification.
     */
    squadNotices: limitBy({
      ...limit('squadNotices', [SQUAD_NOTICES_PER_DAY, 86_400], tooFast),
      max: SQUAD_NOTICES_PER_DAY,
    }),
    fetches: limitBy(limit('fetches', [60, 3600], addresses)),
    rooms: limitBy(limit('rooms', [20, 3600], rooms)),
    roomMessages: limitBy(limit('roomMessages', [20, 30], tooFast)),
    loginFailuresByAddress: limitOutcomes(limit('loginFailuresByAddress', [15, 300], failures)),
    loginFailuresByAccount: limitOutcomes(limit('loginFailuresByAccount', [10, 300], failures)),
    /** Counts per member from all addresses, because a code has only six digits. */
    wrongCodes: limitOutcomes(limit('wrongCodes', [50, 86_400], codes)),
    registrations: limitOutcomes(limit('registrations', [5, 3600], accounts)),
    /** Tolerates a few names in use, but prevents listing accounts. */
    registrationConflicts: limitOutcomes(limit('registrationConflicts', [20, 3600], conflicts)),
    emailConflicts: limitOutcomes(limit('emailConflicts', [20, 3600], emails)),
    /** Working links are never refused. */
    deadLinks: limitBy(limit('deadLinks', [60, 300], links)),
    linkPasswords: limitOutcomes(limit('linkPasswords', [10, 300], failures)),
    passwordLinks: limitBy(limit('passwordLinks', [10, 3600], passwordLinks)),
    /** Requests beyond this limit send no email, but get the same answer. */
    passwordLinksOfMember: limitBy(limit('passwordLinksOfMember', [3, 3600], passwordLinks)),
    pushTests: limitBy(limit('pushTests', [10, 600], tooFast)),
    mails: limitBy(limit('mails', [5, 3600], mails)),
    deviceCodes: limitBy(limit('deviceCodes', [20, 600], deviceCodes)),
    deviceGuesses: limitOutcomes(limit('deviceGuesses', [20, 600], deviceGuesses)),
    loginEntries: limitBy(limit('loginEntries', [10, 3600], tooFast)),
    /** Each process has its log. */
    refusalLines: createLocalRateLimit(limit('refusalLines', [30, 60], tooFast)),
    noteLines: createLocalRateLimit(limit('noteLines', [10, 60], tooFast)),
    /** An open page keeps sending the cookie of a session that has ended. */
    cookieLines: createLocalRateLimit(limit('cookieLines', [3, 600], tooFast)),
  }
}

/**
 * Except files. Reads count by address, writes and chunks by member.
 * @throws `too-many`
 */
export async function requireWithinLimits(
  request: FastifyRequest,
  { limits, identity }: { limits: RateLimits; identity: Identity },
): Promise<void> {
  // Addresses may be percent-encoded.
  const path = request.routeOptions.url ?? ''
  if (FILE_ROUTES.test(path) || PROBES.has(path)) return
  if (path.startsWith(WORKER_CALLS)) {
    await limits.chunks.count(`worker-${clientNetwork(request)}`)
    return
  }
  const amount = countCalls(request)
  if (request.method === 'GET' || request.method === 'HEAD' || path === PROVIDER_LOGOUT) {
    await limits.reads.count(clientNetwork(request), amount)
    return
  }
  const caller = hasAuthorization(request)
    ? await identity.tokenOf(request)
    : await identity.sessionOf(request)
  const who = caller ? `member-${caller.viewer.id}` : clientNetwork(request)
  const limit = path === '/api/uploads/chunk' ? limits.chunks : limits.writes
  await limit.count(who, amount)
}

export function countCalls({ routeOptions, params }: FastifyRequest): number {
  if (!routeOptions.url?.startsWith('/trpc/')) return 1
  return (params as { path: string }).path.split(',').length
}
