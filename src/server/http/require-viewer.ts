import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../auth/lucia.ts'
import { type AppDeps, createContext } from '../context.ts'
import { AppError } from '../errors.ts'

/**
 * For the calls that carry bytes and so are no procedures: who asks.
 * @throws AppError `unauthenticated`
 */
export async function requireViewer(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  const { viewer } = await createContext(deps, { req: exchange.request, res: exchange.reply })
  if (!viewer) throw new AppError('unauthenticated', 'Please sign in first.')
  return viewer
}

/** @throws AppError `unauthenticated`, `forbidden` for others than admins */
export async function requireAdmin(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<Viewer> {
  const viewer = await requireViewer(deps, exchange)
  if (!viewer.isAdmin) throw new AppError('forbidden', 'Only an admin can do this.')
  return viewer
}
