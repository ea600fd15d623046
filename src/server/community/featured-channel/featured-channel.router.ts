import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, publicProcedure, router } from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { FEATURED_CHANNELS_MAX } from '#shared/limits.ts'
import { userSchema } from '#shared/schemas/user.schemas.ts'
import { deleteFeaturedChannel, listFeaturedChannels } from './featured-channel.queries.ts'
import { featureChannel, moveFeaturedChannel } from './featured-channel.service.ts'

const channelSchema = z.object({ channelId: idSchema })

export const featuredChannelRouter = router({
  list: publicProcedure
    .input(z.object({ id: idSchema }))
    .output(z.array(userSchema))
    .query(async ({ ctx, input }) => {
      const { viewer } = ctx
      await requireUser(ctx.db, { id: input.id, viewer })
      return listFeaturedChannels(ctx.db, { userId: input.id, viewer })
    }),

  add: memberProcedure
    .input(channelSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => featureChannel(ctx.db, { ...input, viewer: ctx.viewer })),

  remove: memberProcedure
    .input(channelSchema)
    .output(z.void())
    .mutation(({ ctx, input }) =>
      deleteFeaturedChannel(ctx.db, { ...input, userId: ctx.viewer.id }),
    ),

  move: memberProcedure
    .input(channelSchema.extend({ toIndex: z.int().min(0).max(FEATURED_CHANNELS_MAX) }))
    .output(z.void())
    .mutation(({ ctx, input }) => moveFeaturedChannel(ctx.db, { ...input, viewer: ctx.viewer })),
})
