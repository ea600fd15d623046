import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { listAllCategories, listCategories } from '#server/platform/site/site.queries.ts'
import { requireCategory } from '#server/platform/site/site.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { pageInputSchema } from '#shared/field.schemas.ts'
import { MAX_RECOMMENDED } from '#shared/limits.ts'
import {
  bulkResultSchema,
  deleteVideosSchema,
  editVideoSchema,
  editVideosSchema,
  listUserVideosSchema,
  listVideosSchema,
  recommendedVideoSchema,
  videoIdSchema,
  videoPageSchema,
  videoSchema,
} from '#shared/schemas/video.schemas.ts'
import { namedMemberSchema, setNamedMembersSchema } from '#shared/schemas/visibility.schemas.ts'
import { deleteHiddenVideo, insertHiddenVideo } from './hidden-video.queries.ts'
import { listRecommendedVideos } from './recommendation.queries.ts'
import { listVideosOfUser } from './user-videos.queries.ts'
import { editVideo, requireVideo, resubmitVideo } from './video.service.ts'
import { deleteVideos, editVideos } from './video-bulk.ts'
import { deleteVideo } from './video-deletion.ts'
import { listLikedVideos, listSubscribedVideos, listVideos } from './video-lists.queries.ts'
import { readVideoMembers, setVideoMembers } from './video-members.service.ts'

export const videoRouter = router({
  list: publicProcedure
    .input(listVideosSchema)
    .output(syncOutput(videoPageSchema))
    .query(async ({ ctx, input }) => {
      await requireCategory(ctx.db, input.category)
      return listVideos(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  listByCategory: publicProcedure
    .input(pageInputSchema.extend({ category: z.string() }))
    .output(syncOutput(videoPageSchema))
    .query(async ({ ctx, input }) => {
      if (!(await listAllCategories(ctx.db)).includes(input.category)) {
        throw new AppError('not-found', 'There is no such category.')
      }
      return listVideos(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  listByUser: publicProcedure
    .input(listUserVideosSchema)
    .output(syncOutput(videoPageSchema))
    .query(async ({ ctx, input }) => {
      await requireUser(ctx.db, { id: input.id, viewer: ctx.viewer })
      return listVideosOfUser(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  get: publicProcedure
    .input(videoIdSchema)
    .output(syncOutput(videoSchema))
    .query(({ ctx, input }) => requireVideo(ctx.db, { ...input, viewer: ctx.viewer })),

  recommended: publicProcedure
    .input(videoIdSchema)
    .output(syncOutput(z.array(recommendedVideoSchema)))
    .query(async ({ ctx, input }) => {
      await requireVideo(ctx.db, { ...input, viewer: ctx.viewer })
      return listRecommendedVideos(ctx.db, {
        ...input,
        viewer: ctx.viewer,
        limit: MAX_RECOMMENDED,
      })
    }),

  categories: publicProcedure
    .output(z.array(z.string()))
    .query(({ ctx }) => listCategories(ctx.db)),

  edit: memberProcedure
    .input(editVideoSchema)
    .output(videoSchema)
    .mutation(({ ctx, input }) => editVideo(ctx, { ...input, viewer: ctx.viewer })),

  namedMembers: memberProcedure
    .input(videoIdSchema)
    .output(z.array(namedMemberSchema))
    .query(({ ctx, input }) => readVideoMembers(ctx.db, { ...input, viewer: ctx.viewer })),

  setNamedMembers: memberProcedure
    .input(setNamedMembersSchema)
    .output(z.array(namedMemberSchema))
    .mutation(({ ctx, input }) => setVideoMembers(ctx, { ...input, viewer: ctx.viewer })),

  resubmit: memberProcedure
    .input(videoIdSchema)
    .output(videoSchema)
    .mutation(({ ctx, input }) => resubmitVideo(ctx.db, { ...input, viewer: ctx.viewer })),

  editMany: memberProcedure
    .input(editVideosSchema)
    .output(bulkResultSchema)
    .mutation(({ ctx, input }) => editVideos(ctx, { ...input, viewer: ctx.viewer })),

  deleteMany: memberProcedure
    .input(deleteVideosSchema)
    .output(bulkResultSchema)
    .mutation(({ ctx, input }) => deleteVideos(ctx, { ...input, viewer: ctx.viewer })),

  listSubscribed: memberProcedure
    .input(pageInputSchema)
    .output(syncOutput(videoPageSchema))
    .query(({ ctx, input }) => listSubscribedVideos(ctx.db, { ...input, viewer: ctx.viewer })),

  listLiked: memberProcedure
    .input(pageInputSchema)
    .output(syncOutput(videoPageSchema))
    .query(({ ctx, input }) => listLikedVideos(ctx.db, { ...input, viewer: ctx.viewer })),

  hide: memberProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      await requireVideo(ctx.db, { ...input, viewer: ctx.viewer })
      await insertHiddenVideo(ctx.db, { userId: ctx.viewer.id, videoId: input.id })
    }),

  unhide: memberProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) =>
      deleteHiddenVideo(ctx.db, { userId: ctx.viewer.id, videoId: input.id }),
    ),

  delete: memberProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteVideo(ctx, { ...input, viewer: ctx.viewer })),
})
