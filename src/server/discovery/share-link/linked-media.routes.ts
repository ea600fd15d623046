import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { showElsewhere } from '#server/platform/http/answer/security-headers.ts'
import { isFileName } from '#server/video/media/media-access.ts'
import { createMediaSender, refuseMedia } from '#server/video/media/send-media.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { findWorkingLink } from './open-share-link.service.ts'
import { findLinkedFile } from './share-link.queries.ts'
import { listPreviewFiles } from './share-link-head.ts'

/** Those of a link to a video, and of one to a playlist, each with and without a grant. */
const PATHS = [
  '/s/:token/media/:file',
  '/s/:token/media/:videoId/:file',
  '/s/:token/:grant/media/:file',
  '/s/:token/:grant/media/:videoId/:file',
]

/** A link is over within a second for those who are being sent a file too, whatever ends it. */
const POLL_MS = 500

type Params = { token: string; grant?: string; videoId?: string; file: string }

/**
 * The files of what share links open, for as long as the link works: it is looked at with every request, and
 * nobody may keep what is answered.
 */
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

/** What the holder of a link is sent; undefined for what the link does not open. */
async function findFile({ db }: AppDeps, { token, grant, videoId, file: name }: Params) {
  const found = isFileName(name) ? await findWorkingLink(db, { token, grant }) : undefined
  if (!found) return undefined
  const { link, isGranted } = found
  if (!isGranted && link.passwordHash !== null) return undefined
  if ((link.playlistId === null) !== (videoId === undefined)) return undefined
  const id = videoId === undefined ? link.videoId : idSchema.safeParse(videoId).data
  if (!id) return undefined
  // Whoever counts views wants none beside them: but those who draw previews of links open none.
  if (!isGranted && link.maxViews !== null) {
    if (!(await listPreviewFiles(db, { link, videoId: id })).includes(name)) return undefined
  }
  return findLinkedFile(db, link, { videoId: id, name })
}
