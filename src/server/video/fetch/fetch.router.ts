import { z } from 'zod'
import { router, sessionProcedure } from '#server/platform/trpc.ts'
import { fetchIdSchema, fetchSchema, startFetchSchema } from '#shared/schemas/fetch.schemas.ts'
import { allowSame, cancelFetch, listOwnFetches, retryFetch, startFetch } from './fetch.service.ts'

export const fetchRouter = router({
  start: sessionProcedure
    .input(startFetchSchema)
    .output(fetchIdSchema)
    .mutation(({ ctx, input }) => startFetch(ctx, { ...input, viewer: ctx.viewer })),

  list: sessionProcedure
    .output(z.array(fetchSchema))
    .query(({ ctx }) => listOwnFetches(ctx.db, ctx.viewer)),

  cancel: sessionProcedure
    .input(fetchIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => cancelFetch(ctx, { ...input, viewer: ctx.viewer })),

  retry: sessionProcedure
    .input(fetchIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => retryFetch(ctx, { ...input, viewer: ctx.viewer })),

  allowSame: sessionProcedure
    .input(fetchIdSchema)
    .output(z.void())
    .mutation(({ ctx, input }) => allowSame(ctx, { ...input, viewer: ctx.viewer })),
})
