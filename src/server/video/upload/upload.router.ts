import { z } from 'zod'
import { memberProcedure, router } from '#server/platform/trpc.ts'
import { uploadLinkSchema } from '#shared/schemas/arriving.schemas.ts'
import {
  completedUploadSchema,
  completeUploadSchema,
  findSameFilesSchema,
  initializeUploadSchema,
  openUploadSchema,
  sameFilesSchema,
  saveUploadDetailsSchema,
  suggestedDetailsSchema,
  suggestUploadDetailsSchema,
  unfinishedUploadSchema,
  uploadIdSchema,
} from '#shared/schemas/upload.schemas.ts'
import { findSameVideo } from './same-file.queries.ts'
import { suggestDetails } from './suggested-details.ts'
import { listOpenUploads } from './upload.queries.ts'
import { cancelUpload, openUpload } from './upload.service.ts'
import { completeUpload } from './upload-completion.ts'
import { saveDetails } from './upload-details.service.ts'
import { openUploadLink } from './upload-link.service.ts'

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

  /** A mutation, since names of files do not belong in addresses. */
  suggestDetails: memberProcedure
    .input(suggestUploadDetailsSchema)
    .output(suggestedDetailsSchema)
    .mutation(({ ctx, input }) => suggestDetails(ctx.db, input)),

  listOpen: memberProcedure
    .output(z.array(unfinishedUploadSchema))
    .query(({ ctx }) => listOpenUploads(ctx.db, ctx.viewer.id)),

  saveDetails: memberProcedure
    .input(saveUploadDetailsSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => saveDetails(ctx, { ...input, viewer: ctx.viewer })),

  findSame: memberProcedure
    .input(findSameFilesSchema)
    .output(sameFilesSchema)
    .query(({ ctx, input }) =>
      Promise.all(input.files.map((file) => findSameVideo(ctx.db, { file, viewer: ctx.viewer }))),
    ),

  openLink: memberProcedure
    .input(z.object({ uploadId: uploadIdSchema }))
    .output(uploadLinkSchema)
    .mutation(async ({ ctx, input }) => {
      const videoId = await openUploadLink(ctx, { ...input, viewer: ctx.viewer })
      return { videoId, url: `${ctx.origin}/video/${videoId}` }
    }),

  cancel: memberProcedure
    .input(z.object({ uploadId: uploadIdSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => cancelUpload(ctx, { ...input, viewer: ctx.viewer })),
})
