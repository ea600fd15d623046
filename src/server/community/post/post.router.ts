import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import { likeCountsSchema } from '#shared/schemas/community.schemas.ts'
import {
  createPostSchema,
  editPostSchema,
  likePostSchema,
  listPostsSchema,
  postIdSchema,
  postSchema,
} from '#shared/schemas/post.schemas.ts'
import { listPosts } from './post.queries.ts'
import { editPost, likePost, publishPost, removePost, requirePost } from './post.service.ts'

export const postRouter = router({
  list: publicProcedure
    .input(listPostsSchema)
    .output(syncOutput(pageSchema(postSchema)))
    .query(async ({ ctx, input }) => {
      const { viewer } = ctx
      await requireUser(ctx.db, { id: input.id, viewer })
      return listPosts(ctx.db, { ...input, channelId: input.id, viewer })
    }),

  get: publicProcedure
    .input(postIdSchema)
    .output(postSchema)
    .query(({ ctx, input }) => requirePost(ctx.db, { ...input, viewer: ctx.viewer })),

  create: memberProcedure
    .input(createPostSchema)
    .output(postSchema)
    .mutation(({ ctx, input }) => publishPost(ctx, { ...input, viewer: ctx.viewer })),

  edit: memberProcedure
    .input(editPostSchema)
    .output(postSchema)
    .mutation(({ ctx, input }) => editPost(ctx, { ...input, viewer: ctx.viewer })),

  like: memberProcedure
    .input(likePostSchema)
    .output(likeCountsSchema)
    .mutation(({ ctx, input }) => likePost(ctx.db, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(postIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removePost(ctx.db, { ...input, viewer: ctx.viewer })),
})
