import { publicProcedure, router } from '#server/platform/trpc.ts'
import { downloadsSchema } from '#shared/schemas/download.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { listDownloads } from './download.service.ts'

export const downloadRouter = router({
  downloads: publicProcedure
    .input(videoIdSchema)
    .output(downloadsSchema)
    .query(({ ctx, input }) => listDownloads(ctx, { ...input, viewer: ctx.viewer })),
})
