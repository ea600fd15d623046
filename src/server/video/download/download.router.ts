import { publicProcedure, router } from '#server/platform/trpc.ts'
import { downloadsSchema } from '#shared/schemas/download.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { listDownloads } from './download.service.ts'

/** Procedures that the router `video` includes. */
export const downloadRouter = router({
  /** The files that the viewer may download, the best first; none where downloads are not allowed. */
  downloads: publicProcedure
    .input(videoIdSchema)
    .output(downloadsSchema)
    .query(({ ctx, input }) => listDownloads(ctx, { ...input, viewer: ctx.viewer })),
})
