import { z } from 'zod'
import {
  adminProcedure,
  confirmedAdminProcedure,
  router,
  syncOutput,
} from '#server/platform/trpc.ts'
import { deleteVideo } from '#server/video/video/video-deletion.ts'
import { idSchema, pageSchema } from '#shared/field.schemas.ts'
import {
  banConsequencesSchema,
  banSchema,
  editChannelSchema,
  editModeratedVideoSchema,
  heldCommentSchema,
  listQueueSchema,
  memberIdSchema,
  memberModerationInputSchema,
  moderationInputSchema,
} from '#shared/schemas/desk/moderation.schemas.ts'
import { heldPostSchema, postIdSchema } from '#shared/schemas/post.schemas.ts'
import { videoIdSchema, videoPageSchema } from '#shared/schemas/video.schemas.ts'
import { editChannel } from './channel-edit.service.ts'
import {
  banMember,
  readBanConsequences,
  setAdmin,
  unbanMember,
  warnMember,
} from './member-moderation.service.ts'
import {
  approveVideo,
  hideVideo,
  pinVideo,
  readApprovalQueue,
  rejectVideo,
  unhideVideo,
} from './moderation.service.ts'
import { listHeldComments, listHeldPosts } from './text-moderation.queries.ts'
import { approveText, deleteText, hideText, unhideText } from './text-moderation.service.ts'
import { editModeratedVideo } from './video-edit.service.ts'

export const moderationRouter = router({
  queue: adminProcedure
    .input(listQueueSchema)
    .output(syncOutput(videoPageSchema))
    .query(({ ctx, input }) => readApprovalQueue(ctx.db, { ...input, viewer: ctx.viewer })),

  approve: adminProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => approveVideo(ctx, { ...input, viewer: ctx.viewer })),

  reject: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => rejectVideo(ctx, { ...input, viewer: ctx.viewer })),

  hideVideo: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => hideVideo(ctx, { ...input, viewer: ctx.viewer })),

  unhideVideo: adminProcedure
    .input(videoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => unhideVideo(ctx, { ...input, viewer: ctx.viewer })),

  editVideo: adminProcedure
    .input(editModeratedVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => editModeratedVideo(ctx, { ...input, viewer: ctx.viewer })),

  /** Null unpins. */
  pinVideo: adminProcedure
    .input(z.object({ id: idSchema.nullable() }))
    .output(z.void())
    .mutation(({ ctx, input }) => pinVideo(ctx.db, { ...input, viewer: ctx.viewer })),

  deleteVideo: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteVideo(ctx, { ...input, viewer: ctx.viewer })),

  heldComments: adminProcedure
    .input(listQueueSchema)
    .output(pageSchema(heldCommentSchema))
    .query(({ ctx, input }) => listHeldComments(ctx.db, input)),

  approveComment: adminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) =>
      approveText(ctx, { ...input, kind: 'comment', viewer: ctx.viewer }),
    ),

  hideComment: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => hideText(ctx, { ...input, kind: 'comment', viewer: ctx.viewer })),

  unhideComment: adminProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) =>
      unhideText(ctx, { ...input, kind: 'comment', viewer: ctx.viewer }),
    ),

  deleteComment: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) =>
      deleteText(ctx, { ...input, kind: 'comment', viewer: ctx.viewer }),
    ),

  heldPosts: adminProcedure
    .input(listQueueSchema)
    .output(pageSchema(heldPostSchema))
    .query(({ ctx, input }) => listHeldPosts(ctx.db, input)),

  approvePost: adminProcedure
    .input(postIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => approveText(ctx, { ...input, kind: 'post', viewer: ctx.viewer })),

  hidePost: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => hideText(ctx, { ...input, kind: 'post', viewer: ctx.viewer })),

  unhidePost: adminProcedure
    .input(postIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => unhideText(ctx, { ...input, kind: 'post', viewer: ctx.viewer })),

  deletePost: adminProcedure
    .input(moderationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteText(ctx, { ...input, kind: 'post', viewer: ctx.viewer })),

  editChannel: adminProcedure
    .input(editChannelSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => editChannel(ctx, { ...input, viewer: ctx.viewer })),

  warn: adminProcedure
    .input(memberModerationInputSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => warnMember(ctx, { ...input, viewer: ctx.viewer })),

  banConsequences: adminProcedure
    .input(memberIdSchema)
    .output(banConsequencesSchema)
    .query(({ ctx, input }) => readBanConsequences(ctx.db, input.userId)),

  ban: adminProcedure
    .input(banSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => banMember(ctx, { ...input, viewer: ctx.viewer })),

  unban: adminProcedure
    .input(memberIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => unbanMember(ctx, { ...input, viewer: ctx.viewer })),

  setAdmin: confirmedAdminProcedure
    .input(z.object({ userId: idSchema, isAdmin: z.boolean() }))
    .output(z.void())
    .mutation(({ ctx, input }) => setAdmin(ctx.db, { ...input, viewer: ctx.viewer })),
})
