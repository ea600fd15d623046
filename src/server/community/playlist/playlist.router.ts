import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { idSchema, pageInputSchema } from '#shared/field.schemas.ts'
import { PAGE_SIZE } from '#shared/limits.ts'
import {
  createPlaylistSchema,
  editPlaylistSchema,
  movePlaylistVideoSchema,
  playlistSchema,
  playlistVideoSchema,
  playlistWithVideosSchema,
} from '#shared/schemas/library.schemas.ts'
import { namedMemberSchema, setNamedMembersSchema } from '#shared/schemas/visibility.schemas.ts'
import { listPlaylists } from './playlist.queries.ts'
import {
  addToPlaylist,
  addToWatchLater,
  createPlaylist,
  editPlaylist,
  moveInPlaylist,
  readPlaylist,
  readWatchLater,
  removeFromPlaylist,
  removePlaylist,
} from './playlist.service.ts'
import { readPlaylistMembers, setPlaylistMembers } from './playlist-members.service.ts'

const byId = z.object({ id: idSchema })

export const playlistRouter = router({
  get: publicProcedure
    .input(pageInputSchema.extend(byId.shape))
    .output(syncOutput(playlistWithVideosSchema))
    .query(({ ctx, input }) => readPlaylist(ctx.db, { ...input, viewer: ctx.viewer })),

  listByUser: publicProcedure
    .input(byId)
    .output(z.array(playlistSchema))
    .query(async ({ ctx, input }) => {
      await requireUser(ctx.db, { ...input, viewer: ctx.viewer })
      return listPlaylists(ctx.db, { userId: input.id, all: false, viewer: ctx.viewer })
    }),

  /** @param videoId each playlist tells whether it has it */
  listOwn: memberProcedure
    .input(z.object({ videoId: idSchema.optional() }))
    .output(z.array(playlistSchema))
    .query(({ ctx, input }) =>
      listPlaylists(ctx.db, { ...input, userId: ctx.viewer.id, all: true, viewer: ctx.viewer }),
    ),

  watchLater: memberProcedure
    .input(pageInputSchema.optional().default({ limit: PAGE_SIZE }))
    .output(syncOutput(playlistWithVideosSchema.nullable()))
    .query(({ ctx, input }) => readWatchLater(ctx.db, { ...input, viewer: ctx.viewer })),

  create: memberProcedure
    .input(createPlaylistSchema)
    .output(playlistSchema)
    .mutation(({ ctx, input }) => createPlaylist(ctx.db, { ...input, viewer: ctx.viewer })),

  edit: memberProcedure
    .input(editPlaylistSchema)
    .output(playlistSchema)
    .mutation(({ ctx, input }) => editPlaylist(ctx.db, { ...input, viewer: ctx.viewer })),

  namedMembers: memberProcedure
    .input(byId)
    .output(z.array(namedMemberSchema))
    .query(({ ctx, input }) => readPlaylistMembers(ctx.db, { ...input, viewer: ctx.viewer })),

  setNamedMembers: memberProcedure
    .input(setNamedMembersSchema)
    .output(z.array(namedMemberSchema))
    .mutation(({ ctx, input }) => setPlaylistMembers(ctx.db, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(byId)
    .output(z.void())
    .mutation(({ ctx, input }) => removePlaylist(ctx.db, { ...input, viewer: ctx.viewer })),

  addVideo: memberProcedure
    .input(playlistVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => addToPlaylist(ctx.db, { ...input, viewer: ctx.viewer })),

  addToWatchLater: memberProcedure
    .input(z.object({ videoId: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => addToWatchLater(ctx.db, { ...input, viewer: ctx.viewer })),

  removeVideo: memberProcedure
    .input(playlistVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeFromPlaylist(ctx.db, { ...input, viewer: ctx.viewer })),

  moveVideo: memberProcedure
    .input(movePlaylistVideoSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => moveInPlaylist(ctx.db, { ...input, viewer: ctx.viewer })),
})
