import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { UPLOAD_CHUNK_BYTES } from '#shared/limits.ts'
import { type OpenUpload, uploadIdSchema } from '#shared/upload.schemas.ts'
import { type AppDeps, createContext } from '../context.ts'
import { AppError } from '../errors.ts'
import { describeInvalidInput } from '../http/invalid-input.ts'
import type { RestRoute } from '../http/rest-scope.ts'
import { readMultipartForm } from './multipart-form.ts'
import { receiveChunk, receiveThumbnail } from './upload.service.ts'

export const uploadRoutes: RestRoute[] = [
  {
    method: 'POST',
    path: '/uploads/initialize',
    procedure: 'upload.initialize',
    status: (upload: OpenUpload) => (upload.resumed ? 200 : 201),
  },
  { method: 'POST', path: '/uploads/complete', procedure: 'upload.complete' },
]

const wholeNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,6})$/, 'must be a whole number')
  .transform(Number)

const chunkFieldsSchema = z.object({
  uploadId: uploadIdSchema,
  chunkIndex: wholeNumber,
  totalChunks: wholeNumber,
})

/** The two calls that carry bytes; they are multipart and so have no procedure. */
export async function registerUploadRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  await app.register(fastifyMultipart)

  app.post('/uploads/chunk', async (request, reply) => {
    const viewer = await requireViewer(deps, { request, reply })
    const form = await readMultipartForm(request, {
      fileField: 'chunk',
      maxFileBytes: UPLOAD_CHUNK_BYTES,
    })
    const fields = parseFields(chunkFieldsSchema, form.fields)
    const bytes = requireFile(form.file, 'chunk')
    await receiveChunk(deps, { ...fields, bytes, viewer })
    return { received: fields.chunkIndex }
  })

  app.post('/uploads/thumbnail', async (request, reply) => {
    const viewer = await requireViewer(deps, { request, reply })
    const form = await readMultipartForm(request, {
      fileField: 'thumbnail',
      maxFileBytes: deps.config.maxThumbnailBytes,
    })
    const { uploadId } = parseFields(z.object({ uploadId: uploadIdSchema }), form.fields)
    const bytes = requireFile(form.file, 'thumbnail')
    return { thumbnailUrl: await receiveThumbnail(deps, { uploadId, bytes, viewer }) }
  })
}

async function requireViewer(
  deps: AppDeps,
  exchange: { request: FastifyRequest; reply: FastifyReply },
) {
  const { viewer } = await createContext(deps, { req: exchange.request, res: exchange.reply })
  if (!viewer) throw new AppError('unauthenticated', 'Please sign in first.')
  return viewer
}

function parseFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Record<string, string>,
): z.infer<Schema> {
  const result = schema.safeParse(fields)
  if (!result.success) throw new AppError('invalid', describeInvalidInput(result.error))
  return result.data
}

function requireFile(file: Buffer | undefined, name: string): Buffer {
  if (!file || file.length === 0) throw new AppError('invalid', `${name} is missing.`)
  return file
}
