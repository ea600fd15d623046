import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import { likeCountsSchema } from '#shared/schemas/community.schemas.ts'
import {
  commentOnPostSchema,
  createPostSchema,
  editPostSchema,
  likePostSchema,
  listPostCommentsSchema,
  listPostsSchema,
  postIdSchema,
  postSchema,
  postThreadSchema,
} from '#shared/schemas/post.schemas.ts'
import { listPostReplies, listPosts } from './post.queries.ts'
import {
  commentOnPost,
  editPost,
  likePost,
  publishPost,
  readPostThread,
  removePost,
  requirePost,
} from './post.service.ts'

const postPageSchema = pageSchema(postSchema)

export const postRouter = router({
  /** The posts of a channel, the newest first. */
  list: publicProcedure
    .input(listPostsSchema)
    .output(syncOutput(postPageSchema))
    .query(async ({ ctx, input }) => {
      const { viewer } = ctx
      await requireUser(ctx.db, { id: input.id, viewer })
      return listPosts(ctx.db, { ...input, channelId: input.id, viewer })
    }),

  /** The comments on a post, the newest or the best first. */
  comments: publicProcedure
    .input(listPostCommentsSchema)
    .output(syncOutput(postPageSchema))
    .query(async ({ ctx, input }) => {
      const { viewer } = ctx
      await requirePost(ctx.db, { id: input.id, viewer })
      return listPosts(ctx.db, { ...input, parentId: input.id, viewer })
    }),

  /** The replies to a comment on a post, the oldest first. */
  replies: publicProcedure
    .input(listPostsSchema)
    .output(postPageSchema)
    .query(async ({ ctx, input }) => {
      const { viewer } = ctx
      await requirePost(ctx.db, { id: input.id, viewer })
      return listPostReplies(ctx.db, { ...input, topCommentId: input.id, viewer })
    }),

  /** The thread of a post, a comment or a reply: the post, and the comment and reply that lead to the one asked for. */
  thread: publicProcedure
    .input(postIdSchema)
    .output(postThreadSchema)
    .query(({ ctx, input }) => readPostThread(ctx.db, { ...input, viewer: ctx.viewer })),

  create: memberProcedure
    .input(createPostSchema)
    .output(postSchema)
    .mutation(({ ctx, input }) => publishPost(ctx, { ...input, viewer: ctx.viewer })),

  comment: memberProcedure
    .input(commentOnPostSchema)
    .output(postSchema)
    .mutation(({ ctx, input }) => commentOnPost(ctx, { ...input, viewer: ctx.viewer })),

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
