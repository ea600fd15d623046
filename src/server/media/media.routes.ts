import { type FileHandle, open } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../auth/lucia.ts'
import { type AppDeps, createContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { isFresh, wholeSeconds } from '../http/conditional-request.ts'
import { isSiteLogo } from '../site/site.queries.ts'
import { isChannelPicture } from '../user/user.queries.ts'
import { findMediaFile } from '../video/video.queries.ts'
import { parseByteRange } from './byte-range.ts'
import { mediaUrl } from './media-store.ts'

const READ_BYTES = 1024 * 1024

const CONTENT_TYPES: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.m4a': 'audio/mp4',
  '.m3u8': 'application/vnd.apple.mpegurl',
  '.vtt': 'text/vtt; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

type MediaRequest = FastifyRequest<{ Params: { mediaKey: string; file: string } }>

/**
 * The bytes of videos and pictures, to those who may see the video. A file never changes under its
 * address; while everybody may see it, caches may keep it for a year.
 */
export async function registerMediaRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:mediaKey/:file',
    handler: (request, reply) => sendMedia(deps, { request: request as MediaRequest, reply }),
  })
}

async function sendMedia(
  deps: AppDeps,
  { request, reply }: { request: MediaRequest; reply: FastifyReply },
) {
  const { mediaKey, file } = request.params
  const { viewer } = await createContext(deps, { req: request, res: reply })
  const access = await findAccess(deps, { mediaKey, name: file, viewer })
  if (!access) throw new AppError('not-found', 'There is no such file.')
  const handle = await openFile(join(deps.media.mediaFolder(mediaKey), file))
  try {
    const { size, mtime } = await handle.stat()
    const etag = `"${size.toString(36)}-${mtime.getTime().toString(36)}"`
    reply
      .header('accept-ranges', 'bytes')
      .header('etag', etag)
      .header('last-modified', mtime.toUTCString())
      .header('content-type', CONTENT_TYPES[extname(file)] ?? 'application/octet-stream')
      .header(
        'cache-control',
        access === 'public' ? 'public, max-age=31536000, immutable' : 'private, no-cache',
      )
    if (isFresh(request, { etag, modifiedAt: mtime })) {
      await handle.close()
      return reply.code(304).send()
    }
    return await sendRange(reply, { handle, size, etag, mtime })
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

/** Who may have a file: everybody, only this viewer (`own`), or nobody who asks (undefined). */
async function findAccess(
  { db }: AppDeps,
  input: { mediaKey: string; name: string; viewer: Viewer | undefined },
): Promise<'public' | 'own' | undefined> {
  const address = mediaUrl(input.mediaKey, input.name)
  const video = await findMediaFile(db, input)
  if (video) {
    const isNamed = address === video.videoUrl || address === video.thumbnailUrl
    if (!isNamed && !video.isListed) return undefined
    return video.isPublic ? 'public' : 'own'
  }
  const isPicture = (await isChannelPicture(db, address)) || (await isSiteLogo(db, address))
  return isPicture ? 'public' : undefined
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new AppError('not-found', 'There is no such file.')
  }
}

async function sendRange(
  reply: FastifyReply,
  file: { handle: FileHandle; size: number; etag: string; mtime: Date },
) {
  const { handle, size } = file
  const { range: header, 'if-range': ifRange } = reply.request.headers
  const range = stillApplies(ifRange?.toString(), file) ? parseByteRange(header, size) : 'whole'
  if (range === 'unsatisfiable') {
    await handle.close()
    return reply
      .code(416)
      .header('content-range', `bytes */${size}`)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send('The range lies outside the file.')
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range
  if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1)
  if (reply.request.method === 'HEAD') {
    await handle.close()
    return reply.send('')
  }
  return reply.send(handle.createReadStream({ start, end, highWaterMark: READ_BYTES }))
}

function stillApplies(ifRange: string | undefined, file: { etag: string; mtime: Date }): boolean {
  if (ifRange === undefined || ifRange === file.etag) return true
  return wholeSeconds(new Date(ifRange)) === wholeSeconds(file.mtime)
}
