import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import type { AppDeps } from '#server/platform/deps.ts'
import { allowSlowBody } from '#server/platform/http/connection/slow-bodies.ts'
import {
  formBytesMax,
  readMultipartForm,
  readWholeForm,
  requireFile,
  requireFormSize,
} from '#server/platform/http/multipart-form.ts'
import { requireViewer } from '#server/platform/http/require-viewer.ts'
import type { RestRoute } from '#server/platform/http/rest-adapter.ts'
import { createFairSemaphore } from '#server/platform/locks/fair-semaphore.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'
import { findUploadLimits } from '#server/platform/site/site.service.ts'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import {
  chunkFieldsSchema,
  fileQuerySchema,
  type OpenUpload,
  openUploadSchema,
  thumbnailFieldsSchema,
} from '#shared/schemas/upload.schemas.ts'
import { createEarlyAnswer } from './early-answer.ts'
import { receiveFile } from './file-upload.ts'
import { receiveChunk } from './upload-chunk.service.ts'
import { completeUpload } from './upload-completion.ts'
import { followChunk } from './upload-heartbeat.ts'
import { openUploadLink } from './upload-link.service.ts'
import { receiveThumbnail } from './upload-thumbnail.service.ts'

/** Idle; a whole file may take hours. */
const FILE_IDLE_MS = 60_000

/** 2 MiB each; other connections wait unread. */
const withChunkSlot = createFairSemaphore({ permits: 24, permitsPerKey: 4 })

/** New buffers would slow uploads by half, by garbage collection. */
const spareBuffers: Buffer[] = []
const SPARE_BUFFERS_MAX = 4

/** `work` must not keep it. */
async function withChunkBuffer<Result>(work: (buffer: Buffer) => Promise<Result>): Promise<Result> {
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(formBytesMax(UPLOAD_CHUNK_BYTES))
  try {
    return await work(buffer)
  } finally {
    if (spareBuffers.length < SPARE_BUFFERS_MAX) spareBuffers.push(buffer)
  }
}

export const uploadRoutes = [
  {
    method: 'POST',
    path: '/uploads/initialize',
    procedure: 'upload.initialize',
    summary: 'Begin to upload a video, or go on with `resumeUploadId`.',
    signedIn: true,
    failures: [400, 401, 413, 429, 507],
    status: (upload: OpenUpload) => (upload.resumed ? 200 : 201),
    present: ({ resumed: _, ...upload }: OpenUpload) => upload,
    body: openUploadSchema.omit({ resumed: true }),
  },
  {
    method: 'POST',
    path: '/uploads/complete',
    procedure: 'upload.complete',
    summary: 'Make a video of what was uploaded; again answers the same video.',
    signedIn: true,
    failures: [400, 401, 404, 409, 410, 422, 507],
  },
  {
    method: 'POST',
    path: '/uploads/suggest',
    procedure: 'upload.suggestDetails',
    summary: 'A title and a category for a recording, by its name, its folder and its time.',
    signedIn: true,
    failures: [400, 401],
  },
  {
    method: 'GET',
    path: '/uploads',
    procedure: 'upload.listOpen',
    summary: 'One’s own unfinished uploads.',
    signedIn: true,
    failures: [401],
    headers: { 'cache-control': 'no-store' },
  },
  {
    method: 'POST',
    path: '/uploads/:uploadId/link',
    procedure: 'upload.openLink',
    summary: 'The link of the video to be, at which the upload can be watched while it arrives.',
    signedIn: true,
    failures: [400, 401, 404, 409, 410],
  },
  {
    method: 'DELETE',
    path: '/uploads/:uploadId',
    procedure: 'upload.cancel',
    summary: 'Cancel an unfinished upload of one’s own; again does nothing.',
    signedIn: true,
    failures: [400, 401, 404],
    status: 204,
  },
] as const satisfies readonly RestRoute[]

export async function registerUploadRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.removeContentTypeParser('application/json')
  await app.register(fastifyMultipart)

  app.post('/uploads/chunk', async (request, reply) => {
    requireFormSize(request, UPLOAD_CHUNK_BYTES)
    const viewer = await requireViewer(deps, { request, reply })
    const receive = async (buffer: Buffer) => {
      const maxFileBytes = UPLOAD_CHUNK_BYTES
      const heart = followChunk(deps.db, { userId: viewer.id })
      const form = await readWholeForm(request, {
        ...{ fileField: 'chunk', maxFileBytes, buffer, onPiece: heart.beat },
      }).finally(() => heart.end(request.raw.complete))
      const fields = parseFields(chunkFieldsSchema, form.fields)
      const bytes = requireFile(form.file, 'chunk')
      await receiveChunk(deps, { ...fields, bytes, viewer })
      return { received: fields.chunkIndex }
    }
    return withChunkSlot(viewer.id, () => withChunkBuffer(receive))
  })

  app.post('/uploads/file', async (request, reply) => {
    const { maxVideoBytes: maxFileBytes } = await findUploadLimits(deps)
    requireFormSize(request, maxFileBytes)
    const viewer = await requireViewer(deps, { request, reply })
    const body = allowSlowBody(request, FILE_IDLE_MS)
    const urlOf = (videoId: number) => `${siteOrigin(request, deps.config)}/video/${videoId}`
    const { early } = parseFields(fileQuerySchema, request.query as Record<string, string>)
    const answer = createEarlyAnswer(reply)
    const openLink = async (uploadId: string) => {
      const videoId = await openUploadLink(deps, { uploadId, viewer })
      answer.begin({ videoId, url: urlOf(videoId) })
    }
    try {
      const onOpened = early ? openLink : undefined
      const receiving = { request, viewer, maxFileBytes, onPiece: body.extend, onOpened }
      const uploadId = await receiveFile(deps, receiving).finally(body.end)
      const videoId = await completeUpload(deps, { uploadId, viewer })
      if (!early) return reply.code(201).send({ videoId, url: urlOf(videoId) })
      answer.complete()
    } catch (error) {
      if (!answer.hasBegun()) throw error
      answer.fail(error)
    }
    return reply
  })

  app.post('/uploads/thumbnail', async (request, reply) => {
    const { maxThumbnailBytes: maxFileBytes } = await findUploadLimits(deps)
    requireFormSize(request, maxFileBytes)
    const viewer = await requireViewer(deps, { request, reply })
    const form = await readMultipartForm(request, { fileField: 'thumbnail', maxFileBytes })
    const { uploadId } = parseFields(thumbnailFieldsSchema, form.fields)
    const bytes = requireFile(form.file, 'thumbnail')
    return { thumbnailUrl: await receiveThumbnail(deps, { uploadId, bytes, viewer }) }
  })
}
