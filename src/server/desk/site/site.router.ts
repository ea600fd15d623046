import { z } from 'zod'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import {
  editSiteSettings,
  readAdminSettings,
  readSiteSettings,
  removeLogo,
} from '#server/platform/site/site.service.ts'
import { adminProcedure, openProcedure, router } from '#server/platform/trpc.ts'
import {
  adminSettingsSchema,
  editSiteSettingsSchema,
  siteSettingsSchema,
} from '#shared/schemas/desk/site.schemas.ts'

export const siteRouter = router({
  settings: openProcedure.output(siteSettingsSchema).query(({ ctx }) => readSiteSettings(ctx)),

  rules: openProcedure
    .output(z.object({ text: z.string() }))
    .query(async ({ ctx }) => ({ text: (await findSiteSettings(ctx.db)).rules })),

  adminSettings: adminProcedure
    .output(adminSettingsSchema)
    .query(({ ctx }) => readAdminSettings(ctx)),

  edit: adminProcedure
    .input(editSiteSettingsSchema)
    .output(adminSettingsSchema)
    .mutation(({ ctx, input }) => editSiteSettings(ctx, { ...input, viewer: ctx.viewer })),

  removeLogo: adminProcedure
    .output(z.void())
    .mutation(({ ctx }) => removeLogo(ctx, { viewer: ctx.viewer })),
})
