import { z } from 'zod'
import { idSchema } from '#shared/field.schemas.ts'
import { addedTimelineSchema } from '#shared/schemas/moment.schemas.ts'
import {
  chunkFieldsSchema,
  fileFieldsSchema,
  storedChunkSchema,
  storedThumbnailSchema,
  thumbnailFieldsSchema,
  uploadedFileSchema,
} from '#shared/schemas/upload.schemas.ts'

export type FormCall = {
  name: string
  summary: string
  path: string
  fileField: string
  file: string
  parameters?: Record<string, z.ZodType>
  fields?: z.ZodType
  answer: z.ZodType
  failures: number[]
  status?: number
}

const PICTURE = 'A PNG or JPEG by its bytes, of at most 2 MB and 40 megapixels.'
const PICTURE_FAILURES = [400, 401, 413, 415, 422]
const picture = (kind: string): FormCall => ({
  name: `settings.${kind}`,
  summary: `Give one’s channel another ${kind}.`,
  path: `/settings/${kind}`,
  fileField: 'picture',
  file: PICTURE,
  answer: z.object({ url: z.string() }),
  failures: PICTURE_FAILURES,
})

export const formCalls: FormCall[] = [
  {
    name: 'upload.chunk',
    summary: 'Upload one chunk; the same bytes again change nothing.',
    path: '/uploads/chunk',
    fileField: 'chunk',
    file: 'The bytes: `chunkSize` of them, fewer in the last chunk.',
    fields: chunkFieldsSchema,
    answer: storedChunkSchema,
    failures: [400, 401, 404, 409, 410, 413, 415, 507],
  },
  {
    name: 'upload.file',
    summary: 'Upload a whole video in one request.',
    path: '/uploads/file',
    fileField: 'file',
    file: 'The whole video, for programs that know no chunks.',
    fields: fileFieldsSchema,
    answer: uploadedFileSchema,
    status: 201,
    failures: [400, 401, 413, 415, 422, 429, 507],
  },
  {
    name: 'upload.thumbnail',
    summary: 'Upload a picture for the video to come.',
    path: '/uploads/thumbnail',
    fileField: 'thumbnail',
    file: PICTURE,
    fields: thumbnailFieldsSchema,
    answer: storedThumbnailSchema,
    failures: [...PICTURE_FAILURES, 404, 409],
  },
  {
    name: 'video.thumbnail',
    summary: 'Give one’s own video another picture.',
    path: '/videos/:id/thumbnail',
    fileField: 'thumbnail',
    file: PICTURE,
    parameters: { id: idSchema },
    answer: storedThumbnailSchema,
    failures: [...PICTURE_FAILURES, 403, 404, 409],
  },
  {
    name: 'moment.addTimeline',
    summary:
      'Add the markers of Steam’s timeline to one’s own video, in place of those added before.',
    path: '/videos/:id/moments/timeline',
    fileField: 'timeline',
    file: 'A `timeline_….json` of Steam’s game recording, of at most 1 MB and 5,000 entries.',
    parameters: { id: idSchema },
    answer: addedTimelineSchema,
    failures: [400, 401, 403, 404, 409, 413, 415, 422],
  },
  picture('avatar'),
  picture('banner'),
]
