import { z } from 'zod'
import type { Context } from '#server/platform/context.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { requireClipOwner } from '#server/video/clip/clip.service.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import {
  commentIdSchema,
  commentSchema,
  countCommentsSchema,
  createCommentSchema,
  editCommentSchema,
  listCommentsSchema,
  listRepliesSchema,
  replySchema,
} from '#shared/schemas/comment.schemas.ts'
import { countComments, findPinnedComment, listComments } from './comment.queries.ts'
import {
  editComment,
  postComment,
  readReplies,
  readThread,
  removeComment,
} from './comment.service.ts'
import { heartComment, pinComment } from './comment-owner.service.ts'

type Reading = Pick<Context, 'db' | 'viewer'>

/** @throws AppError `not-found` for a video or a clip that the viewer may not see */
async function requireSubject(
  { db, viewer }: Reading,
  { id, clipId }: { id: number; clipId?: number | null | undefined },
): Promise<void> {
  await requireVideoOwner(db, { id, viewer })
  if (clipId) await requireClipOwner(db, { id: clipId, viewer })
}

export const commentRouter = router({
  list: publicProcedure
    .input(listCommentsSchema)
    .output(syncOutput(pageSchema(commentSchema)))
    .query(async ({ ctx, input }) => {
      await requireSubject(ctx, input)
      return listComments(ctx.db, { ...input, videoId: input.id, viewer: ctx.viewer })
    }),

  /** The number of comments and replies that the viewer can reach. */
  count: publicProcedure
    .input(countCommentsSchema)
    .output(z.int())
    .query(async ({ ctx, input }) => {
      await requireSubject(ctx, input)
      return countComments(ctx.db, { ...input, videoId: input.id, viewer: ctx.viewer })
    }),

  /** All replies to a comment, oldest first. */
  replies: publicProcedure
    .input(listRepliesSchema)
    .output(syncOutput(pageSchema(replySchema)))
    .query(({ ctx, input }) => readReplies(ctx.db, { ...input, viewer: ctx.viewer })),

  /** The comment that the video's owner put before the others. */
  pinned: publicProcedure
    .input(commentIdSchema)
    .output(commentSchema.nullable())
    .query(async ({ ctx, input }) => {
      await requireVideoOwner(ctx.db, { id: input.id, viewer: ctx.viewer })
      return findPinnedComment(ctx.db, { videoId: input.id, viewer: ctx.viewer })
    }),

  /** The thread of a comment: the top comment with its first replies, and with the reply that is asked for. */
  thread: publicProcedure
    .input(commentIdSchema)
    .output(commentSchema)
    .query(({ ctx, input }) => readThread(ctx.db, { ...input, viewer: ctx.viewer })),

  create: memberProcedure
    .input(createCommentSchema)
    .output(commentSchema)
    .mutation(({ ctx, input }) => postComment(ctx, { ...input, viewer: ctx.viewer })),

  edit: memberProcedure
    .input(editCommentSchema)
    .output(commentSchema)
    .mutation(({ ctx, input }) => editComment(ctx, { ...input, viewer: ctx.viewer })),

  pin: memberProcedure
    .input(commentIdSchema.extend({ isPinned: z.boolean() }))
    .output(commentSchema)
    .mutation(({ ctx, input }) => pinComment(ctx.db, { ...input, viewer: ctx.viewer })),

  heart: memberProcedure
    .input(commentIdSchema.extend({ isHearted: z.boolean() }))
    .output(commentSchema)
    .mutation(({ ctx, input }) => heartComment(ctx.db, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(commentIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeComment(ctx.db, { ...input, viewer: ctx.viewer })),
})
