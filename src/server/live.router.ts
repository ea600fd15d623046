import { videoIdSchema } from '#shared/schemas/video.schemas.ts'
import { roomTokenSchema } from '#shared/schemas/watch-room.schemas.ts'
import { findViewer } from './account/auth/lucia.ts'
import { countComments } from './community/comment/comment.queries.ts'
import { followRoom } from './community/watch-room/watch-room-stream.ts'
import { findShowsPresence } from './community/watching/watching.queries.ts'
import { shownCount } from './community/watching/watching.service.ts'
import type { Context } from './platform/context.ts'
import { AppError } from './platform/errors.ts'
import type { LiveTopic } from './platform/events/live-feed.ts'
import type { LiveReaction, VideoTopic } from './platform/events/video-feed.ts'
import { publicProcedure, router, sessionProcedure } from './platform/trpc.ts'
import { listVideoWork } from './video/job/processing-status.ts'
import { videoIsVisible } from './video/video/video.queries.ts'
import { requireVideoOwner } from './video/video/video.service.ts'

/** How often the server checks that the viewer may still watch the video. */
const CHECK_EVERY_MS = 30_000
/** An event within this time after a check is sent without another check. */
const CHECKED_MS = 2000

export const liveRouter = router({
  /**
   * The current state at once, and each change: a reconnecting page misses nothing. Ends with the
   * session, or after ten newer streams of the member.
   */
  onChange: sessionProcedure.subscription(async function* ({ ctx, signal }) {
    requireCurrentToken(ctx)
    let wake = () => {}
    const due = new Set<LiveTopic>(['notifications', 'work'])
    const listener = (topic: LiveTopic) => {
      due.add(topic)
      wake()
    }
    const closed = ctx.live.listen(ctx.viewer.id, {
      listener,
      signal: AbortSignal.any([ctx.closing, ...(signal ? [signal] : [])]),
    })
    closed.addEventListener('abort', () => wake(), { once: true })
    while (!closed.aborted) {
      if (due.size > 0 && !(await findViewer(ctx.sessions, ctx.session.id))) throw connectionLost()
      if (due.delete('notifications')) {
        yield { changed: 'notifications' as const }
      } else if (due.delete('work')) {
        yield { work: await listVideoWork(ctx, ctx.viewer) }
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  }),

  /**
   * Streams which parts of a video page have changed, new reactions, and how many people watch.
   * Ends when the viewer may no longer watch the video. It is separate from `onChange`, whose
   * stream lasts longer than one page and needs a session.
   */
  onVideo: publicProcedure
    .input(videoIdSchema)
    .subscription(async ({ ctx, input: { id }, signal }) => {
      const { viewer, session } = ctx
      if (viewer && !session) throw new AppError('unauthenticated', 'Please sign in first.')
      await requireVideoOwner(ctx.db, { id, viewer })
      const { key, network = key } = await ctx.viewers.keyOf(ctx)
      if (!viewer && !ctx.live.videos.hasRoomFor(network)) {
        throw new AppError('too-many', 'Too many pages of videos are open at your address.')
      }
      const isShown = viewer !== undefined && (await findShowsPresence(ctx.db, viewer.id))
      const shownId = isShown ? viewer.id : undefined
      return followVideo(ctx, { id, signal, watcher: { key, network, shownId } })
    }),

  /**
   * Streams what a watch room plays, who is in it, its chat, reactions and drawings. The viewer is
   * in the room for as long.
   */
  onRoom: publicProcedure.input(roomTokenSchema).subscription(({ ctx, input, signal }) => {
    if (ctx.viewer && !ctx.session) throw new AppError('unauthenticated', 'Please sign in first.')
    requireCurrentToken(ctx)
    return followRoom(ctx, { ...input, signal })
  }),
})

type VideoChange = {
  changed?: VideoTopic[]
  reactions?: LiveReaction[]
  /** Is 0 if fewer than two people watch. */
  watching?: number
  /**
   * The number of comments. Only the first event has it, because the page may have loaded its
   * comments earlier.
   */
  comments?: number
}

async function* followVideo(
  ctx: Context,
  input: {
    id: number
    signal: AbortSignal | undefined
    watcher: { key: string; network: string; shownId: number | undefined }
  },
): AsyncGenerator<VideoChange> {
  const { id, signal, watcher } = input
  requireCurrentToken(ctx)
  let wake = () => {}
  let checkedAt = performance.now()
  let mustCheck = false
  const due = new Set<VideoTopic>()
  let reactions: LiveReaction[] = []
  let watching: number | undefined
  const over = new AbortController()
  const closed = ctx.live.videos.listen(id, {
    ...watcher,
    signal: AbortSignal.any([ctx.closing, over.signal, ...(signal ? [signal] : [])]),
    listener: (news) => {
      for (const topic of news.changed) due.add(topic)
      reactions = [...reactions, ...news.reactions].slice(-LIVE_REACTIONS_MAX)
      watching = news.watching ?? watching
      mustCheck ||= news.changed.includes('access')
      wake()
    },
  })
  closed.addEventListener('abort', () => wake(), { once: true })
  const checks = setInterval(() => {
    mustCheck = true
    wake()
  }, CHECK_EVERY_MS)
  try {
    yield {
      watching: shownCount(ctx.live.videos.watching(id).count),
      comments: await countComments(ctx.db, { videoId: id, viewer: ctx.viewer }),
    }
    while (!closed.aborted) {
      const hasNews = due.size > 0 || reactions.length > 0 || watching !== undefined
      if (mustCheck || (hasNews && performance.now() - checkedAt > CHECKED_MS)) {
        mustCheck = false
        if (!(await mayFollow(ctx, id))) throw connectionLost()
        checkedAt = performance.now()
      } else if (hasNews) {
        const change: VideoChange = {
          ...(due.size > 0 && { changed: [...due] }),
          ...(reactions.length > 0 && { reactions }),
          ...(watching !== undefined && { watching: shownCount(watching) }),
        }
        due.clear()
        reactions = []
        watching = undefined
        yield change
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    clearInterval(checks)
    over.abort()
  }
}

/** How many reactions are kept for a page that reads slowly. */
const LIVE_REACTIONS_MAX = 20

/** The viewer may have lost a role since the stream opened. */
async function mayFollow({ db, sessions, session }: Context, id: number) {
  const viewer = session && (await findViewer(sessions, session.id))
  if (session && !viewer) return false
  return videoIsVisible(db, { id, viewer })
}

/** Refuses a replaced token: the stream would outlive the seconds in which it is accepted. */
function requireCurrentToken({ session }: Pick<Context, 'session'>): void {
  if (session?.isReplaced) throw connectionLost()
}

/** Makes the page reconnect, with a new session or none. */
function connectionLost(): Error {
  return new DOMException('The session is over.', 'AbortError')
}
