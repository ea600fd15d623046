import { z } from 'zod'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { categorySchema } from '#shared/field.schemas.ts'
import {
  gamePageSchema,
  homeShelvesSchema,
  suggestedChannelSchema,
  tonightSchema,
  visitSchema,
} from '#shared/schemas/home.schemas.ts'
import {
  readGamePage,
  readHomeShelves,
  readPeople,
  readTonight,
  readVisit,
} from './home.service.ts'

export const homeRouter = router({
  tonight: publicProcedure
    .output(syncOutput(tonightSchema.nullable()))
    .query(({ ctx }) => readTonight(ctx)),

  shelves: publicProcedure
    .output(syncOutput(homeShelvesSchema))
    .query(({ ctx }) => readHomeShelves(ctx)),

  visit: memberProcedure
    .output(syncOutput(visitSchema.nullable()))
    .query(({ ctx }) => readVisit(ctx.db, { viewer: ctx.viewer })),

  people: memberProcedure
    .output(syncOutput(z.array(suggestedChannelSchema)))
    .query(({ ctx }) => readPeople(ctx.db, { viewer: ctx.viewer })),

  game: publicProcedure
    .input(z.object({ category: categorySchema }))
    .output(syncOutput(gamePageSchema))
    .query(({ ctx, input }) => readGamePage(ctx, input)),
})
