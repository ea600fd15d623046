import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireConfirmed } from '../confirmation.ts'
import { createContext } from '../context.ts'
import type { AppDeps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { siteIsOpen } from '../site/site.queries.ts'
import type { Viewer } from '../viewer.ts'

/**
 * For routes where no procedure checks.
 * @throws `unauthenticated`
 */
export async function requireViewer(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  const { viewer } = await createContext(deps, { req: exchange.request, res: exchange.reply })
  if (!viewer) throw new AppError('unauthenticated', 'Please sign in first.')
  return viewer
}

/**
 * Lets visitors pass if the site is for everybody.
 * @throws `unauthenticated`
 */
export async function requireOpenSite(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<void> {
  if (!(await siteIsOpen(deps.db))) await requireViewer(deps, exchange)
}

/** @throws `unauthenticated`, `forbidden` */
export async function requireAdmin(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  const viewer = await requireViewer(deps, exchange)
  if (!viewer.isAdmin) throw new AppError('forbidden', 'Only an admin can do this.')
  return viewer
}

/** @throws as above, `unconfirmed` unless the password was entered lately */
export async function requireConfirmedAdmin(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  await requireAdmin(deps, exchange)
  return requireConfirmedViewer(deps, exchange)
}

/** @throws `unauthenticated`, also for an API token; `unconfirmed` unless the session was confirmed recently */
export async function requireConfirmedViewer(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  const viewer = await requireViewer(deps, exchange)
  const session = await deps.identity.sessionOf(exchange.request)
  if (!session) throw new AppError('unauthenticated', 'Please sign in first.')
  requireConfirmed(session)
  return viewer
}
