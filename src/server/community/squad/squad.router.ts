import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { listClipsOfSquad } from '#server/video/clip/clip-lists.queries.ts'
import { idSchema, pageInputSchema, pageSchema } from '#shared/field.schemas.ts'
import { clipSchema } from '#shared/schemas/clip.schemas.ts'
import { postSchema } from '#shared/schemas/post.schemas.ts'
import {
  createSquadSchema,
  editSquadSchema,
  inviteToSquadSchema,
  setSquadRoleSchema,
  squadCandidateSchema,
  squadIdSchema,
  squadMemberIdSchema,
  squadMemberSchema,
  squadPageInputSchema,
  squadPageSchema,
  squadSchema,
  squadVideoIdSchema,
  videoSquadSchema,
} from '#shared/schemas/squad.schemas.ts'
import { videoPageSchema, videoSchema } from '#shared/schemas/video.schemas.ts'
import { listPostsOfSquad } from '../post/post.queries.ts'
import {
  listOtherSquads,
  listOwnSquads,
  listSquadsInvitedTo,
  listSquadsOf,
} from './squad.queries.ts'
import {
  createSquad,
  deleteSquad,
  editSquad,
  handSquadOver,
  leaveSquad,
  removeSquadMember,
  requireSquad,
  setSquadRole,
} from './squad.service.ts'
import { listLovedBySquad, listVideosOfSquad } from './squad-content.queries.ts'
import {
  answerRequest,
  inviteToSquad,
  joinSquad,
  readInvites,
  readRequests,
  withdrawFromSquad,
  withdrawInvite,
} from './squad-joining.service.ts'
import { listSquadMembers, updateOpened } from './squad-members.queries.ts'
import { removeSquadVideo } from './squad-video.service.ts'

export const squadRouter = router({
  mine: memberProcedure
    .output(z.object({ joined: z.array(squadSchema), invitedTo: z.array(squadSchema) }))
    .query(async ({ ctx: { db, viewer } }) => ({
      joined: await listOwnSquads(db, viewer),
      invitedTo: await listSquadsInvitedTo(db, viewer),
    })),

  list: memberProcedure
    .input(pageInputSchema)
    .output(squadPageSchema)
    .query(({ ctx, input }) => listOtherSquads(ctx.db, { ...input, viewer: ctx.viewer })),

  get: memberProcedure
    .input(squadIdSchema)
    .output(squadSchema)
    .query(({ ctx, input }) => requireSquad(ctx.db, { ...input, viewer: ctx.viewer })),

  ofMember: memberProcedure
    .input(z.object({ id: idSchema }))
    .output(z.array(videoSquadSchema))
    .query(async ({ ctx: { db, viewer }, input }) => {
      await requireUser(db, { id: input.id, viewer })
      return listSquadsOf(db, { userId: input.id, viewer })
    }),

  members: memberProcedure
    .input(squadIdSchema)
    .output(z.array(squadMemberSchema))
    .query(async ({ ctx: { db, viewer }, input }) => {
      const { id } = await requireSquad(db, { ...input, viewer })
      return listSquadMembers(db, { squadId: id, viewer })
    }),

  videos: memberProcedure
    .input(squadPageInputSchema)
    .output(syncOutput(videoPageSchema))
    .query(async ({ ctx: { db, viewer }, input: { id, ...page } }) => {
      const { id: squadId } = await requireSquad(db, { id, viewer })
      return listVideosOfSquad(db, { ...page, squadId, viewer })
    }),

  clips: memberProcedure
    .input(squadPageInputSchema)
    .output(syncOutput(pageSchema(clipSchema)))
    .query(async ({ ctx: { db, viewer }, input: { id, ...page } }) => {
      const { id: squadId } = await requireSquad(db, { id, viewer })
      return listClipsOfSquad(db, { ...page, squadId, viewer })
    }),

  posts: memberProcedure
    .input(squadPageInputSchema)
    .output(syncOutput(pageSchema(postSchema)))
    .query(async ({ ctx: { db, viewer }, input: { id, ...page } }) => {
      const { id: squadId } = await requireSquad(db, { id, viewer })
      return listPostsOfSquad(db, { ...page, squadId, viewer })
    }),

  /** Is empty for others, who should not learn what the members like. */
  loved: memberProcedure
    .input(squadIdSchema)
    .output(syncOutput(z.array(videoSchema)))
    .query(async ({ ctx: { db, viewer }, input }) => {
      const { id: squadId, myRole } = await requireSquad(db, { ...input, viewer })
      return myRole === null ? [] : listLovedBySquad(db, { squadId, viewer })
    }),

  requests: memberProcedure
    .input(squadIdSchema)
    .output(z.array(squadCandidateSchema))
    .query(({ ctx, input }) => readRequests(ctx.db, { ...input, viewer: ctx.viewer })),

  invites: memberProcedure
    .input(squadIdSchema)
    .output(z.array(squadCandidateSchema))
    .query(({ ctx, input }) => readInvites(ctx.db, { ...input, viewer: ctx.viewer })),

  create: memberProcedure
    .input(createSquadSchema)
    .output(squadSchema)
    .mutation(({ ctx, input }) => createSquad(ctx.db, { ...input, viewer: ctx.viewer })),

  edit: memberProcedure
    .input(editSquadSchema)
    .output(squadSchema)
    .mutation(({ ctx, input }) => editSquad(ctx.db, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(squadIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteSquad(ctx.db, { ...input, viewer: ctx.viewer })),

  /** Marks the news of the squad as seen by the viewer. */
  open: memberProcedure
    .input(squadIdSchema)
    .output(z.void())
    .mutation(async ({ ctx: { db, viewer }, input }) => {
      const { id: squadId } = await requireSquad(db, { ...input, viewer })
      await updateOpened(db, { squadId, userId: viewer.id })
    }),

  join: memberProcedure
    .input(squadIdSchema)
    .output(squadSchema)
    .mutation(({ ctx, input }) => joinSquad(ctx, { ...input, viewer: ctx.viewer })),

  leave: memberProcedure
    .input(squadIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => leaveSquad(ctx, { ...input, viewer: ctx.viewer })),

  /** Withdraws the viewer's own request, or declines an invitation. */
  withdraw: memberProcedure
    .input(squadIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => withdrawFromSquad(ctx, { ...input, viewer: ctx.viewer })),

  answer: memberProcedure
    .input(squadMemberIdSchema.extend({ accepts: z.boolean() }))
    .output(z.void())
    .mutation(({ ctx, input }) => answerRequest(ctx, { ...input, viewer: ctx.viewer })),

  invite: memberProcedure
    .input(inviteToSquadSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => inviteToSquad(ctx, { ...input, viewer: ctx.viewer })),

  withdrawInvite: memberProcedure
    .input(squadMemberIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => withdrawInvite(ctx, { ...input, viewer: ctx.viewer })),

  removeMember: memberProcedure
    .input(squadMemberIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeSquadMember(ctx, { ...input, viewer: ctx.viewer })),

  /** Makes a member's video private to its owner. */
  removeVideo: memberProcedure
    .input(squadVideoIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeSquadVideo(ctx, { ...input, viewer: ctx.viewer })),

  setRole: memberProcedure
    .input(setSquadRoleSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => setSquadRole(ctx, { ...input, viewer: ctx.viewer })),

  handOver: memberProcedure
    .input(squadMemberIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => handSquadOver(ctx, { ...input, viewer: ctx.viewer })),
})
