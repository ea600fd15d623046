import { z } from 'zod'
import { listSquadsNamed } from '#server/community/squad/squad.queries.ts'
import { requireCategory } from '#server/platform/site/site.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { MAX_SUGGESTIONS } from '#shared/limits.ts'
import {
  searchPageSchema,
  searchSchema,
  suggestionsSchema,
  suggestSchema,
} from '#shared/schemas/search.schemas.ts'
import { squadSchema } from '#shared/schemas/squad.schemas.ts'
import { userSchema } from '#shared/schemas/user.schemas.ts'
import { listMembersFound } from './search.queries.ts'
import { searchChannels, searchVideos, suggest } from './search.service.ts'
import { queryWords } from './text/words.ts'

const CHANNELS_FOUND = 6
const SQUADS_FOUND = 6

export const searchRouter = router({
  videos: publicProcedure
    .input(searchSchema)
    .output(syncOutput(searchPageSchema))
    .query(async ({ ctx, input }) => {
      await requireCategory(ctx.db, input.category)
      return searchVideos(ctx, { ...input, viewer: ctx.viewer })
    }),

  channels: publicProcedure
    .input(suggestSchema)
    .output(z.array(userSchema))
    .query(({ ctx, input }) =>
      searchChannels(ctx, { q: input.q, limit: CHANNELS_FOUND, viewer: ctx.viewer }),
    ),

  members: memberProcedure
    .input(suggestSchema)
    .output(z.array(userSchema))
    .query(({ ctx, input }) =>
      listMembersFound(ctx.db, {
        words: queryWords(input.q),
        limit: MAX_SUGGESTIONS,
        viewer: ctx.viewer,
      }),
    ),

  squads: memberProcedure
    .input(suggestSchema)
    .output(z.array(squadSchema))
    .query(({ ctx, input }) =>
      listSquadsNamed(ctx.db, {
        words: queryWords(input.q).map(({ word }) => word),
        limit: SQUADS_FOUND,
        viewer: ctx.viewer,
      }),
    ),

  suggest: publicProcedure
    .input(suggestSchema)
    .output(suggestionsSchema)
    .query(({ ctx, input }) => suggest(ctx, { q: input.q, viewer: ctx.viewer })),
})
