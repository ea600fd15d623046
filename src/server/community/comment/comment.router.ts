import { z } from 'zod'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { pageSchema } from '#shared/field.schemas.ts'
import {
  type CommentsOn,
  commentIdSchema,
  commentSchema,
  commentsOnSchema,
  createCommentSchema,
  editCommentSchema,
  listCommentsSchema,
  listRepliesSchema,
  newCommentsSchema,
  replySchema,
} from '#shared/schemas/comment.schemas.ts'
import {
  countComments,
  findPinnedComment,
  listComments,
  listNewComments,
} from './comment.queries.ts'
import {
  editComment,
  postComment,
  readReplies,
  readThread,
  removeComment,
} from './comment.service.ts'
import { heartComment, pinComment } from './comment-owner.service.ts'
import { requireCommentSubject } from './comment-subject.service.ts'

const placeOf = <Input extends CommentsOn>({ id, ...input }: Input) => ({ ...input, videoId: id })

export const commentRouter = router({
  list: publicProcedure
    .input(listCommentsSchema)
    .output(syncOutput(pageSchema(commentSchema)))
    .query(async ({ ctx: { db, viewer }, input }) => {
      const place = { ...placeOf(input), viewer }
      await requireCommentSubject(db, place)
      return listComments(db, place)
    }),

  count: publicProcedure
    .input(commentsOnSchema)
    .output(z.int())
    .query(async ({ ctx: { db, viewer }, input }) => {
      const place = { ...placeOf(input), viewer }
      await requireCommentSubject(db, place)
      return countComments(db, place)
    }),

  /** Comments and replies whose id is above `after`, newest first. */
  newSince: publicProcedure
    .input(newCommentsSchema)
    .output(z.array(replySchema))
    .query(async ({ ctx: { db, viewer }, input }) => {
      const place = { ...placeOf(input), viewer }
      await requireCommentSubject(db, place)
      return listNewComments(db, place)
    }),

  replies: publicProcedure
    .input(listRepliesSchema)
    .output(syncOutput(pageSchema(replySchema)))
    .query(({ ctx, input }) => readReplies(ctx.db, { ...input, viewer: ctx.viewer })),

  pinned: publicProcedure
    .input(commentsOnSchema)
    .output(commentSchema.nullable())
    .query(async ({ ctx: { db, viewer }, input }) => {
      const place = { ...placeOf(input), viewer }
      await requireCommentSubject(db, place)
      return findPinnedComment(db, place)
    }),

  /** The top comment, its first replies and the given one. */
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
    .mutation(({ ctx, input }) => removeComment(ctx, { ...input, viewer: ctx.viewer })),
})
