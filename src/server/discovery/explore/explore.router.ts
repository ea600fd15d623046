import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { requireCategory } from '#server/platform/site/site.service.ts'
import { publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { audienceOf } from '#server/video/video/video.access.ts'
import { categorySchema } from '#shared/field.schemas.ts'
import { videoSchema } from '#shared/schemas/video.schemas.ts'
import { rankForViewer } from '../ranking/rank-for-viewer.ts'
import type { RankingQuery } from '../ranking/ranking.queries.ts'
import {
  findHost,
  findPinned,
  listGames,
  listRankedVideos,
  listShownTags,
} from './explore.queries.ts'

const TRENDING_VIDEOS = 48
const LOVED_VIDEOS = 12
const POPULAR_TAGS = 40

async function listRanked(
  context: Context,
  { limit, ...query }: Omit<RankingQuery, 'audience'> & { limit: number },
) {
  const { db, viewer } = context
  return listRankedVideos(db, { ids: await rankForViewer(context, query), viewer, limit })
}

export const exploreRouter = router({
  trending: publicProcedure
    .input(z.object({ category: categorySchema.optional() }))
    .output(syncOutput(z.array(videoSchema)))
    .query(async ({ ctx, input }) => {
      await requireCategory(ctx.db, input.category)
      return listRanked(ctx, { by: 'trending', ...input, limit: TRENDING_VIDEOS })
    }),

  loved: publicProcedure
    .output(syncOutput(z.array(videoSchema)))
    .query(({ ctx }) => listRanked(ctx, { by: 'loved', limit: LOVED_VIDEOS })),

  pinned: publicProcedure
    .output(z.object({ notice: z.string(), video: videoSchema.nullable() }))
    .query(({ ctx }) => findPinned(ctx.db, ctx.viewer)),

  host: publicProcedure
    .output(z.object({ id: z.int(), displayName: z.string() }).nullable())
    .query(({ ctx }) => findHost(ctx.db, ctx.viewer)),

  tags: publicProcedure
    .output(syncOutput(z.array(z.object({ tag: z.string(), count: z.int() }))))
    .query(async ({ ctx: { db, rankings, viewer } }) => {
      const tags = await rankings.rankTags(audienceOf(viewer))
      return listShownTags(db, { tags, viewer, limit: POPULAR_TAGS })
    }),

  games: publicProcedure
    .output(
      z.array(
        z.object({
          name: z.string(),
          videoCount: z.int(),
          pictureUrl: z.string().nullable(),
        }),
      ),
    )
    .query(({ ctx }) => listGames(ctx.db, ctx.viewer)),
})
