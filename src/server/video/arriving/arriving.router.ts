import { findViewer } from '#server/account/auth/lucia.ts'
import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { publicProcedure, router } from '#server/platform/trpc.ts'
import { arrivingSchema } from '#shared/schemas/arriving.schemas.ts'
import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { followArriving, requireArriving } from './arriving.service.ts'

export const arrivingRouter = router({
  get: publicProcedure
    .input(videoIdSchema)
    .output(arrivingSchema)
    .query(({ ctx, input }) => requireArriving(ctx, { ...input, viewer: ctx.viewer })),

  /** Who follows counts as a watcher of the video, with the same limits. */
  follow: publicProcedure
    .input(videoIdSchema)
    .subscription(async ({ ctx, input: { id }, signal }) => {
      const { viewer, session, live } = ctx
      if (viewer && (!session || session.isReplaced)) {
        throw new AppError('unauthenticated', 'Please sign in first.')
      }
      await requireArriving(ctx, { id, viewer })
      const { key, network = key } = await ctx.viewers.keyOf(ctx)
      if (!viewer && !live.videos.hasRoomFor(network)) {
        throw new AppError('too-many', 'Too many pages of videos are open at your address.')
      }
      const over = new AbortController()
      const ended = live.videos.listen(id, {
        ...{ key, network, shownId: undefined, listener: () => {} },
        signal: AbortSignal.any([ctx.closing, over.signal, ...(signal ? [signal] : [])]),
      })
      return whileSignedIn(ctx, {
        items: followArriving(ctx, { id, viewer, signal: ended }),
        onEnd: () => over.abort(),
      })
    }),
})

/** @throws AbortError once the session is over, so that the page connects again */
async function* whileSignedIn<Item>(
  { sessions, session }: Context,
  { items, onEnd }: { items: AsyncGenerator<Item>; onEnd: () => void },
) {
  try {
    for await (const item of items) {
      if (session && !(await findViewer(sessions, session.id))) {
        throw new DOMException('The session is over.', 'AbortError')
      }
      yield item
    }
  } finally {
    onEnd()
  }
}
