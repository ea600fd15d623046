import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { showElsewhere } from '#server/platform/http/answer/security-headers.ts'
import { isFileName } from '#server/video/media/media-access.ts'
import { createMediaSender, refuseMedia } from '#server/video/media/send-media.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { findWorkingLink } from './open-share-link.service.ts'
import { findLinkedFile } from './share-link.queries.ts'
import { listPreviewFiles } from './share-link-head.ts'

const PATHS = [
  '/s/:token/media/:file',
  '/s/:token/media/:videoId/:file',
  '/s/:token/:grant/media/:file',
  '/s/:token/:grant/media/:videoId/:file',
]

/** Downloads stop within a second of the link's end. */
const POLL_MS = 500

type Params = { token: string; grant?: string; videoId?: string; file: string }

/** The link is checked on every request; nothing is cached. */
export async function registerLinkedMedia(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  const send = createMediaSender(deps)
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const params = request.params as Params
    const file = await findFile(deps, params)
    if (!file) return refuseMedia(deps, request)
    const { mediaKey } = file
    reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' })
    const cacheControl = 'private, no-store'
    const mayHave = async () => (await findFile(deps, params)) !== undefined
    const isSent = await send(
      { request, reply },
      { mediaKey, name: params.file, cacheControl, mayHave, askedEveryMs: POLL_MS },
    )
    return isSent ? reply : refuseMedia(deps, request)
  }
  for (const url of PATHS) {
    app.route({ method: ['GET', 'HEAD'], url, onRequest: showElsewhere, handler })
  }
}

async function findFile({ db }: AppDeps, { token, grant, videoId, file: name }: Params) {
  const found = isFileName(name) ? await findWorkingLink(db, { token, grant }) : undefined
  if (!found) return undefined
  const { link, isGranted } = found
  if (!isGranted && link.passwordHash !== null) return undefined
  if ((link.playlistId === null) !== (videoId === undefined)) return undefined
  const id = videoId === undefined ? link.videoId : idSchema.safeParse(videoId).data
  if (!id) return undefined
  // Where views are counted, only preview files need no grant.
  if (!isGranted && link.maxViews !== null) {
    if (!(await listPreviewFiles(db, { link, videoId: id })).includes(name)) return undefined
  }
  return findLinkedFile(db, link, { videoId: id, name })
}
