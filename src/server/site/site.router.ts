import { z } from 'zod'
import { editSiteSettingsSchema, siteSettingsSchema } from '#shared/settings.schemas.ts'
import { adminProcedure, publicProcedure, router } from '../trpc.ts'
import { findSiteSettings, updateSiteSettings } from './site.queries.ts'

export const siteRouter = router({
  /** What the pages need to know of the server's settings. Sizes in bytes. */
  settings: publicProcedure
    .output(siteSettingsSchema.extend({ maxVideoBytes: z.int(), maxThumbnailBytes: z.int() }))
    .query(async ({ ctx }) => ({
      ...(await findSiteSettings(ctx.db)),
      maxVideoBytes: ctx.config.maxVideoBytes,
      maxThumbnailBytes: ctx.config.maxThumbnailBytes,
    })),

  /** What encodes pictures: FFmpeg's name of it, and whether that is a graphics card. */
  encoder: adminProcedure
    .output(z.object({ name: z.string(), isHardware: z.boolean() }))
    .query(({ ctx }) => {
      const name = ctx.jobs.encoder()
      return { name, isHardware: name !== 'libx264' }
    }),

  edit: adminProcedure
    .input(editSiteSettingsSchema)
    .output(siteSettingsSchema)
    .mutation(async ({ ctx, input }) => {
      await updateSiteSettings(ctx.db, input)
      return findSiteSettings(ctx.db)
    }),
})
