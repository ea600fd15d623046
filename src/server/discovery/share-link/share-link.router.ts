import { z } from 'zod'
import { openProcedure, router, sessionProcedure } from '#server/platform/trpc.ts'
import { idSchema } from '#shared/field.schemas.ts'
import {
  createdShareLinkSchema,
  createShareLinkSchema,
  linkedVideoInputSchema,
  linkedVideoSchema,
  openedShareLinkSchema,
  openShareLinkSchema,
  shareLinkSchema,
  shareTargetSchema,
} from '#shared/schemas/share-link.schemas.ts'
import { openShareLink, readLinkedVideo } from './open-share-link.service.ts'
import {
  createShareLink,
  endShareLink,
  endShareLinks,
  readShareLinks,
} from './share-link.service.ts'

export const shareLinkRouter = router({
  create: sessionProcedure
    .input(createShareLinkSchema)
    .output(createdShareLinkSchema)
    .mutation(({ ctx, input }) =>
      createShareLink(ctx.db, { ...input, viewer: ctx.viewer, origin: ctx.origin }),
    ),

  list: sessionProcedure
    .input(shareTargetSchema)
    .output(z.array(shareLinkSchema))
    .query(({ ctx, input }) => readShareLinks(ctx.db, { ...input, viewer: ctx.viewer })),

  revoke: sessionProcedure
    .input(z.object({ id: idSchema }))
    .output(z.void())
    .mutation(({ ctx, input }) => endShareLink(ctx.db, { ...input, viewer: ctx.viewer })),

  revokeAll: sessionProcedure
    .input(shareTargetSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => endShareLinks(ctx.db, { ...input, viewer: ctx.viewer })),

  open: openProcedure
    .input(openShareLinkSchema)
    .output(openedShareLinkSchema)
    .mutation(({ ctx, input }) => openShareLink(ctx, { ...input, address: ctx.address })),

  video: openProcedure
    .input(linkedVideoInputSchema)
    .output(linkedVideoSchema)
    .query(({ ctx, input }) => readLinkedVideo(ctx, { ...input, address: ctx.address })),
})
