import { z } from 'zod'
import {
  addGame,
  editGame,
  orderGames,
  readGames,
  removeGame,
  removeGameArt,
} from '#server/platform/site/game-look.service.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import {
  editSiteSettings,
  readAdminSettings,
  readSiteSettings,
  removeLogo,
} from '#server/platform/site/site.service.ts'
import { adminProcedure, openProcedure, router } from '#server/platform/trpc.ts'
import { categorySchema } from '#shared/field.schemas.ts'
import {
  adminSettingsSchema,
  EXTRA_CATEGORIES_MAX,
  editGameSchema,
  editSiteSettingsSchema,
  gameSchema,
  newCategorySchema,
  siteSettingsSchema,
} from '#shared/schemas/desk/site.schemas.ts'

const gameNameSchema = z.object({ name: categorySchema })

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

  games: adminProcedure.output(z.array(gameSchema)).query(({ ctx }) => readGames(ctx.db)),

  addGame: adminProcedure
    .input(z.object({ name: newCategorySchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => addGame(ctx.db, { ...input, viewer: ctx.viewer })),

  editGame: adminProcedure
    .input(editGameSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => editGame(ctx, { ...input, viewer: ctx.viewer })),

  orderGames: adminProcedure
    .input(z.object({ names: z.array(categorySchema).max(EXTRA_CATEGORIES_MAX) }))
    .output(z.void())
    .mutation(({ ctx, input }) => orderGames(ctx.db, { ...input, viewer: ctx.viewer })),

  removeGame: adminProcedure
    .input(gameNameSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeGame(ctx, { ...input, viewer: ctx.viewer })),

  removeGameArt: adminProcedure
    .input(gameNameSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeGameArt(ctx, { ...input, viewer: ctx.viewer })),
})
