import { memberProcedure, router } from '#server/platform/trpc.ts'
import { sharePreviewSchema } from '#shared/schemas/sharing.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { readSharePreview } from './share-preview.service.ts'

export const sharingRouter = router({
  preview: memberProcedure
    .input(videoIdSchema)
    .output(sharePreviewSchema)
    .query(({ ctx, input }) =>
      readSharePreview(ctx.db, { ...input, viewer: ctx.viewer, origin: ctx.origin }),
    ),
})
