import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { sendFailure } from '#server/platform/http/plain-text-error.ts'
import { describeInvalidInput } from '#server/platform/request/invalid-input.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { findClip } from '#server/video/clip/clip.queries.ts'
import { readJpegSize } from '#server/video/media/jpeg-size.ts'
import { keyOf } from '#server/video/video/media-address.ts'
import type { Size } from '#shared/picture-fit.ts'
import { pictureOf } from './clip-tags.ts'
import { describeOembed, renderOembedXml, type Thumbnail } from './oembed.ts'
import { parseId } from './page-head.ts'
import { findSharedVideo } from './sharing.queries.ts'

const pixels = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'must be a whole number of pixels')
  .transform(Number)
const querySchema = z.object({
  url: z.string('is missing').max(2000),
  format: z.string().max(20).default('json'),
  maxwidth: pixels.optional(),
  maxheight: pixels.optional(),
})

const NOTHING_HERE = 'There is no video at this address that can be embedded.'
const VIDEO_PATH = /^\/(?:video|embed|v)\/(\d+)\/?$/
const CLIP_PATH = /^\/(?:embed\/)?clip\/(\d+)\/?$/

/** https://oembed.com. A 401 would reveal hidden videos, so 404. */
export async function registerOembedRoute(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.get('/oembed', async (request, reply) => {
    const query = querySchema.safeParse(request.query)
    if (!query.success) throw new AppError('invalid', describeInvalidInput(query.error))
    const { url, format, maxwidth, maxheight } = query.data
    if (format !== 'json' && format !== 'xml') {
      return sendFailure(reply, { status: 501, message: 'The format is json or xml.' })
    }
    const origin = siteOrigin(request, deps.config)
    const origins = [origin, deps.config.publicUrl]
    const clipId = idIn(url, { origins, path: CLIP_PATH })
    const clip = clipId && (await findClip(deps.db, { id: clipId, viewer: undefined }))
    const id = clip ? clip.videoId : idIn(url, { origins, path: VIDEO_PATH })
    const video = id === undefined ? undefined : await findSharedVideo(deps.db, { id })
    if (!video) throw new AppError('not-found', NOTHING_HERE)
    const room = { ...(maxwidth && { width: maxwidth }), ...(maxheight && { height: maxheight }) }
    const answer = describeOembed(video, {
      origin,
      siteName: (await findSiteSettings(deps.db)).name,
      room,
      clip: clip || undefined,
      thumbnail: await findThumbnail(deps, {
        mediaKey: video.mediaKey,
        address: clip ? pictureOf(clip, video) : video.thumbnailUrl,
        room,
      }),
    })
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache')
    return format === 'json'
      ? reply.type('application/json; charset=utf-8').send(answer)
      : reply.type('text/xml; charset=utf-8').send(renderOembedXml(answer))
  })
}

function idIn(
  address: string,
  { origins, path }: { origins: (string | undefined)[]; path: RegExp },
): number | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  if (!origins.includes(origin)) return undefined
  return parseId(path.exec(pathname)?.[1] ?? '')
}

/** With its size, as oEmbed requires, within the requested room. */
async function findThumbnail(
  { media }: Pick<AppDeps, 'media'>,
  input: { mediaKey: string; address: string | null; room: Partial<Size> },
): Promise<Thumbnail | undefined> {
  const { mediaKey, address, room } = input
  const key = keyOf(mediaKey, address)
  if (!address || !key) return undefined
  const size = await readJpegSize(media, key)
  if (!size) return undefined
  const fits =
    size.width <= (room.width ?? Number.POSITIVE_INFINITY) &&
    size.height <= (room.height ?? Number.POSITIVE_INFINITY)
  return fits ? { url: address, ...size } : undefined
}
