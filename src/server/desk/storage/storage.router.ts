import { z } from 'zod'
import { adminProcedure, router } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import {
  freeableSchema,
  freedSchema,
  listStoredVideosSchema,
  siteCheckSchema,
  storedVideoSchema,
} from '#shared/schemas/desk/storage.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { findLastSiteCheck } from '../site-check/site-check.queries.ts'
import { startSiteCheck } from '../site-check/site-check.service.ts'
import { sumFreeable } from './storage.queries.ts'
import { freeOriginal, freeOriginals, readStoredVideos } from './storage.service.ts'

export const storageRouter = router({
  videos: adminProcedure
    .input(listStoredVideosSchema)
    .output(pageSchema(storedVideoSchema))
    .query(({ ctx, input }) => readStoredVideos(ctx, input)),

  freeable: adminProcedure.output(freeableSchema).query(({ ctx }) => sumFreeable(ctx.db)),

  freeOriginal: adminProcedure
    .input(videoIdSchema)
    .output(z.object({ bytes: z.number() }))
    .mutation(({ ctx, input }) => freeOriginal(ctx, { ...input, viewer: ctx.viewer })),

  freeOriginals: adminProcedure
    .output(freedSchema)
    .mutation(({ ctx }) => freeOriginals(ctx, { viewer: ctx.viewer })),

  check: adminProcedure
    .output(siteCheckSchema.nullable())
    .query(async ({ ctx }) => (await findLastSiteCheck(ctx.db)) ?? null),

  startCheck: adminProcedure
    .output(siteCheckSchema)
    .mutation(({ ctx }) => startSiteCheck(ctx, { viewer: ctx.viewer })),
})
