import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import { timestampSchema } from '#shared/field.schemas.ts'
import {
  completedUploadSchema,
  completeUploadSchema,
  initializeUploadSchema,
  openUploadSchema,
  uploadIdSchema,
} from '#shared/schemas/upload.schemas.ts'
import { listOpenUploads } from './upload.queries.ts'
import { cancelUpload, openUpload } from './upload.service.ts'
import { completeUpload } from './upload-completion.ts'

const openUploadItemSchema = z.object({
  id: uploadIdSchema,
  fileName: z.string(),
  fileSize: z.int(),
  title: z.string(),
  chunksStored: z.int(),
  chunkCount: z.int(),
  touchedAt: timestampSchema,
})

export const uploadRouter = router({
  initialize: memberProcedure
    .input(initializeUploadSchema)
    .output(openUploadSchema)
    .mutation(({ ctx, input }) => openUpload(ctx, { ...input, viewer: ctx.viewer })),

  complete: memberProcedure
    .input(completeUploadSchema)
    .output(completedUploadSchema)
    .mutation(async ({ ctx, input }) => ({
      videoId: await completeUpload(ctx, { ...input, viewer: ctx.viewer }),
    })),

  /** One's own uploads that wait for more chunks. */
  listOpen: memberProcedure
    .output(z.array(openUploadItemSchema))
    .query(({ ctx }) => listOpenUploads(ctx.db, ctx.viewer.id)),

  cancel: memberProcedure
    .input(z.object({ uploadId: uploadIdSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => cancelUpload(ctx, { ...input, viewer: ctx.viewer })),
})
