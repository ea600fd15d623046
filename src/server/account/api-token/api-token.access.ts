import type { FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { logWrongToken } from '#server/platform/request/credential-log.ts'
import { hasAuthorization } from '#server/platform/request/credentials.ts'
import type { RequestToken, Viewer } from '#server/platform/viewer.ts'

type Deps = Pick<AppDeps, 'db' | 'identity' | 'limits'> & {
  findVideoOwner: (
    db: Database,
    input: { id: number; viewer: Viewer },
  ) => Promise<{ userId: number } | undefined>
}

const READS = new Set([
  '/api/user',
  '/api/users/:id',
  '/api/users/:id/videos',
  '/api/users/:userId/notifications',
  '/api/videos',
  '/api/videos/:id',
  '/api/videos/category/:category',
  '/api/videos/:id/comments',
  '/api/search',
  '/api/categories',
  '/api/health',
  '/api/ready',
  '/api/openapi.json',
  '/media/:addressKey/:file',
  '/cdn/:addressKey/:file',
  '/api/videos/:id/download',
])
const METRICS = '/metrics'
/** Use worker tokens, checked by the calls. */
const WORKER_CALLS = '/api/worker/'
const OWN_READS = new Set(['/api/user', '/api/users/:id/videos', '/api/videos/:id', '/api/uploads'])
const UPLOADS = new Set([
  '/api/uploads/initialize',
  '/api/uploads/chunk',
  '/api/uploads/thumbnail',
  '/api/uploads/complete',
  '/api/uploads/file',
  '/api/uploads/suggest',
  '/api/uploads/:uploadId/link',
])
const CANCELLED_UPLOAD = '/api/uploads/:uploadId'
const OWN_TOKEN = '/api/token'

/**
 * See docs/decisions/0027-api-tokens.md.
 * @throws `unauthenticated` for an invalid token, `forbidden` outside its scope
 */
export async function requireTokenScope(request: FastifyRequest, deps: Deps): Promise<void> {
  const path = request.routeOptions.url ?? ''
  const isOther = path === METRICS || path.startsWith(WORKER_CALLS)
  if (!hasAuthorization(request) || isOther) return
  const token = await deps.identity.tokenOf(request)
  if (!token) {
    void logWrongToken(deps, request, 'api')
    throw new AppError('unauthenticated', 'This API token is not valid, or it has expired.')
  }
  if (!(await isWithinScope(request, { token, deps }))) {
    throw new AppError(
      'forbidden',
      token.scope === 'upload'
        ? 'This API token may upload videos and read your own, and nothing else.'
        : 'This API token may read, and nothing else.',
    )
  }
}

async function isWithinScope(
  request: FastifyRequest,
  { token, deps }: { token: RequestToken; deps: Deps },
): Promise<boolean> {
  const path = request.routeOptions.url ?? ''
  if (request.method === 'POST') return token.scope === 'upload' && UPLOADS.has(path)
  if (request.method === 'DELETE') {
    return path === OWN_TOKEN || (token.scope === 'upload' && path === CANCELLED_UPLOAD)
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  if (token.scope === 'read') return READS.has(path)
  return OWN_READS.has(path) && isAboutOneself(request, { token, deps })
}

/** A missing video is reported later. */
async function isAboutOneself(
  request: FastifyRequest,
  { token, deps }: { token: RequestToken; deps: Deps },
): Promise<boolean> {
  const { id } = request.params as { id?: string }
  if (id === undefined) return true
  const { viewer } = token
  if (request.routeOptions.url === '/api/users/:id/videos') return id === String(viewer.id)
  const number = Number(id)
  if (!Number.isSafeInteger(number)) return true
  const video = await deps.findVideoOwner(deps.db, { id: number, viewer })
  return video === undefined || video.userId === viewer.id
}
