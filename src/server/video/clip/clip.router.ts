import { z } from 'zod'
import { requireUser } from '#server/account/user/user.service.ts'
import { memberProcedure, publicProcedure, router, syncOutput } from '#server/platform/trpc.ts'
import { pageInputSchema } from '#shared/field.schemas.ts'
import {
  clipIdSchema,
  clipLikesSchema,
  clipPageSchema,
  clipProgressSchema,
  clipSchema,
  clipsAroundSchema,
  clipTitlesSchema,
  createClipSchema,
  likeClipSchema,
  listClipsOfSchema,
  searchClipsSchema,
  suggestClipTitleSchema,
  updateClipSchema,
} from '#shared/schemas/clip.schemas.ts'
import { requireVideoOwner } from '../video/video.service.ts'
import {
  createClip,
  editClip,
  likeClip,
  listClipsAround,
  makeClipFile,
  removeClip,
  requireClip,
} from './clip.service.ts'
import {
  listBestClips,
  listClipsOfChannel,
  listClipsOfVideo,
  listNewestClips,
  listOwnClips,
  searchClips,
} from './clip-lists.queries.ts'
import { suggestClipTitles } from './clip-title.service.ts'
import { reportClipProgress } from './clip-view.service.ts'

export const clipRouter = router({
  byId: publicProcedure
    .input(clipIdSchema)
    .output(clipSchema)
    .query(({ ctx, input }) => requireClip(ctx.db, { ...input, viewer: ctx.viewer })),

  ofVideo: publicProcedure
    .input(listClipsOfSchema)
    .output(syncOutput(clipPageSchema))
    .query(async ({ ctx, input }) => {
      await requireVideoOwner(ctx.db, { id: input.id, viewer: ctx.viewer })
      return listClipsOfVideo(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  ofChannel: publicProcedure
    .input(listClipsOfSchema)
    .output(syncOutput(clipPageSchema))
    .query(async ({ ctx, input }) => {
      await requireUser(ctx.db, { id: input.id, viewer: ctx.viewer })
      return listClipsOfChannel(ctx.db, { ...input, viewer: ctx.viewer })
    }),

  newest: publicProcedure
    .input(pageInputSchema)
    .output(syncOutput(clipPageSchema))
    .query(({ ctx, input }) => listNewestClips(ctx.db, { ...input, viewer: ctx.viewer })),

  bestOfWeek: publicProcedure
    .input(pageInputSchema)
    .output(syncOutput(clipPageSchema))
    .query(({ ctx, input }) => listBestClips(ctx.db, { ...input, viewer: ctx.viewer })),

  search: publicProcedure
    .input(searchClipsSchema)
    .output(syncOutput(clipPageSchema))
    .query(({ ctx, input }) => searchClips(ctx.db, { ...input, viewer: ctx.viewer })),

  mine: memberProcedure
    .input(pageInputSchema)
    .output(syncOutput(clipPageSchema))
    .query(({ ctx, input }) => listOwnClips(ctx.db, { ...input, viewer: ctx.viewer })),

  /** Returns clips of the same evening and of the same game. */
  around: publicProcedure
    .input(clipIdSchema)
    .output(syncOutput(clipsAroundSchema))
    .query(({ ctx, input }) => listClipsAround(ctx.db, { ...input, viewer: ctx.viewer })),

  suggestTitles: memberProcedure
    .input(suggestClipTitleSchema)
    .output(clipTitlesSchema)
    .query(async ({ ctx, input }) => ({
      titles: await suggestClipTitles(ctx.db, { ...input, viewer: ctx.viewer }),
    })),

  create: memberProcedure
    .input(createClipSchema)
    .output(clipSchema)
    .mutation(({ ctx, input }) => createClip(ctx, { ...input, viewer: ctx.viewer })),

  update: memberProcedure
    .input(updateClipSchema)
    .output(clipSchema)
    .mutation(({ ctx, input }) => editClip(ctx, { ...input, viewer: ctx.viewer })),

  delete: memberProcedure
    .input(clipIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => removeClip(ctx, { ...input, viewer: ctx.viewer })),

  like: memberProcedure
    .input(likeClipSchema)
    .output(clipLikesSchema)
    .mutation(({ ctx, input }) => likeClip(ctx, { ...input, viewer: ctx.viewer })),

  /** For clips too long to get one automatically. */
  makeFile: memberProcedure
    .input(clipIdSchema)
    .output(z.object({ isFileComing: z.boolean() }))
    .mutation(({ ctx, input }) => makeClipFile(ctx, { ...input, viewer: ctx.viewer })),

  report: publicProcedure
    .input(clipProgressSchema)
    .output(z.object({ viewCounted: z.boolean() }))
    .mutation(({ ctx, input }) => {
      const { viewer, address, userAgent } = ctx
      return reportClipProgress(ctx, { ...input, viewer, address, userAgent })
    }),
})
