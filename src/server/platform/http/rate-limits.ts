import type { FastifyRequest } from 'fastify'
import { MAX_BULK_VIDEOS } from '#shared/limits.ts'
import { AppError } from '../errors.ts'
import type { Identity } from '../viewer.ts'
import { networkOf } from './connection/client-address.ts'
import { hasAuthorization } from './credentials.ts'
import { createOutcomeLimit } from './outcome-limit.ts'

const CLEANUP_SIZE = 20_000
/** Files: those of the app are few, and those of videos are asked for in many parts. A missing one counts. */
const FILE_ROUTES = /^\/((media|assets)|s\/:token(\/:grant)?\/media)\//
/** Asked by workers, in many parts; a limit of their own keeps others from trying tokens. */
const WORKER_CALLS = '/api/worker/'
/** Asked by load balancers and monitors, whose address may be everybody's; they cost next to nothing. */
const PROBES = new Set(['/api/health', '/api/ready'])

/** Counts acts in windows of fixed length, in memory: a restart forgives. */
function createRateLimit(options: { max: number; windowSeconds: number; sentence: string }) {
  const windowMs = options.windowSeconds * 1000
  const windows = new Map<string, { count: number; endsAt: number }>()

  function current(key: string) {
    const now = Date.now()
    const known = windows.get(key)
    // A clock set back must not make a window longer than it is.
    if (known && known.endsAt > now && known.endsAt - now <= windowMs) return known
    if (windows.size >= CLEANUP_SIZE) {
      for (const [old, { endsAt }] of windows) if (endsAt <= now) windows.delete(old)
    }
    const fresh = { count: 0, endsAt: now + windowMs }
    windows.set(key, fresh)
    return fresh
  }

  return {
    /** @throws AppError `too-many` when the acts so far and this one are more than allowed. */
    count(key: string, amount = 1): void {
      const window = current(key)
      if (window.count + amount > options.max) {
        const seconds = Math.max(1, Math.ceil((window.endsAt - Date.now()) / 1000))
        throw new AppError('too-many', options.sentence, { retryAfterSeconds: seconds })
      }
      window.count += amount
    },

    /** Counts an act that is not refused, and says whether it is still within the limit. */
    isWithin(key: string): boolean {
      const window = current(key)
      window.count++
      return window.count <= options.max
    },
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>

/** The limits of the documented calls; `scale` multiplies every one of them. */
export function createRateLimits(scale: number) {
  const options = (max: number, windowSeconds: number, sentence: string) => ({
    max: Math.max(1, Math.floor(max * scale)),
    windowSeconds,
    sentence,
  })
  const hurry = 'That was too fast. Please wait a moment and try again.'
  const failures = 'Too many failed attempts. Please wait a few minutes and try again.'
  const accounts = 'Too many accounts were made from here. Please try again later.'
  const conflicts = 'Too many names in use were tried from here. Please try again later.'
  const emails = 'Too many emails in use were tried. Please try again later.'
  const links =
    'Too many links that do not work were tried. Please wait a few minutes and try again.'
  const bulkVideos = options(
    3 * MAX_BULK_VIDEOS,
    60,
    'These are many videos at once. Please wait a moment and try again.',
  )
  return {
    reads: createRateLimit(options(300, 10, hurry)),
    writes: createRateLimit(options(30, 10, hurry)),
    chunks: createRateLimit(options(1000, 10, hurry)),
    /** Each video of a call that names many; one whole call is allowed whatever the scale. */
    bulkVideos: createRateLimit({ ...bulkVideos, max: Math.max(MAX_BULK_VIDEOS, bulkVideos.max) }),
    loginFailuresByAddress: createOutcomeLimit(options(15, 300, failures)),
    loginFailuresByAccount: createOutcomeLimit(options(10, 300, failures)),
    registrations: createOutcomeLimit(options(5, 3600, accounts)),
    /** Whoever picks names in use is not locked out by a few, and cannot list who has an account. */
    registrationConflicts: createOutcomeLimit(options(20, 3600, conflicts)),
    emailConflicts: createOutcomeLimit(options(20, 3600, emails)),
    /** Addresses of links that lead nowhere; whoever has a right one is never refused. */
    deadLinks: createRateLimit(options(60, 300, links)),
    linkPasswords: createOutcomeLimit(options(10, 300, failures)),
    /** What is written down of logins, and of refusals: nobody shall fill the disk with either. */
    loginEntries: createRateLimit(options(10, 3600, hurry)),
    refusalLines: createRateLimit(options(30, 60, hurry)),
  }
}

/**
 * Counts a request that is answered with anything but a file: reads by address, writes and chunks by member.
 * @throws AppError `too-many`
 */
export async function requireWithinLimits(
  request: FastifyRequest,
  { limits, identity }: { limits: RateLimits; identity: Identity },
): Promise<void> {
  // The route that was matched: an address may spell the same path with percent signs.
  const path = request.routeOptions.url ?? ''
  if (FILE_ROUTES.test(path) || PROBES.has(path)) return
  if (path.startsWith(WORKER_CALLS)) {
    limits.chunks.count(`worker-${networkOf(request.ip)}`)
    return
  }
  const amount = countCalls(request)
  if (request.method === 'GET' || request.method === 'HEAD') {
    limits.reads.count(networkOf(request.ip), amount)
    return
  }
  const caller = hasAuthorization(request)
    ? await identity.tokenOf(request)
    : await identity.sessionOf(request)
  const who = caller ? `member-${caller.viewer.id}` : networkOf(request.ip)
  const limit = path === '/api/uploads/chunk' ? limits.chunks : limits.writes
  limit.count(who, amount)
}

/** How many calls a request makes: those of a tRPC batch are in one address, separated by commas. */
export function countCalls({ routeOptions, params }: FastifyRequest): number {
  if (!routeOptions.url?.startsWith('/trpc/')) return 1
  return (params as { path: string }).path.split(',').length
}
