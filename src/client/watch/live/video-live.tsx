import { useEffect, useRef } from 'react'
import { errorStatus } from '#client/platform/error-message.ts'
import { notePageIsLive, useMayStream, useReconnect } from '#client/platform/live-stream.ts'
import { trpc } from '#client/trpc.ts'
import { showReaction, takeOwnReaction } from '../reaction/reaction-bus.ts'
import { withReaction } from '../reaction/with-reaction.ts'
import { type LivePlace, useCommentNews } from './use-comment-news.ts'
import { forgetNews, videoNews } from './video-news.ts'

/** Spreads requests so that the pages of a popular video do not send them at the same moment. */
const SPREAD_MS_PER_WATCHER = 20
const SPREAD_MS_MAX = 800

function later(read: () => Promise<void>): void {
  const { watching } = videoNews.get()
  const most = Math.min(SPREAD_MS_MAX, watching * SPREAD_MS_PER_WATCHER)
  setTimeout(() => void read().catch(() => undefined), Math.random() * most)
}

type VideoLiveProps = { place: LivePlace; viewerId: number | undefined }

/** Keeps the page of a video or clip up to date with what other viewers do. */
export default function VideoLive({ place, viewerId }: VideoLiveProps) {
  const videoId = place.id
  const { clipId } = place
  const topics =
    clipId === undefined
      ? ({ comments: 'comments', likes: 'likes' } as const)
      : ({ comments: 'clip-comments', likes: 'clip-likes' } as const)
  const utils = trpc.useUtils()
  const input = { id: videoId }
  const hasBegun = useRef(false)
  const wasBroken = useRef(false)
  const comments = useCommentNews({ place, viewerId })
  const readLikes = async () => {
    if (clipId !== undefined) {
      const { likeCount, viewCount } = await utils.client.clip.byId.query({ id: clipId })
      utils.clip.byId.setData({ id: clipId }, (old) => old && { ...old, likeCount, viewCount })
      return
    }
    const { likeCount, dislikeCount, viewCount } = await utils.client.video.get.query(input)
    utils.video.get.setData(input, (old) => old && { ...old, likeCount, dislikeCount, viewCount })
  }
  const { status, reset, error } = trpc.live.onVideo.useSubscription(input, {
    enabled: useMayStream(),
    onData: ({ changed = [], reactions = [], watching, comments: count }) => {
      const isFirst = !hasBegun.current
      hasBegun.current = true
      if (watching !== undefined) {
        videoNews.set({ videoId, watching })
        if (!isFirst) later(() => utils.watching.faces.invalidate(input))
      }
      for (const [kind, second] of reactions) {
        if (takeOwnReaction({ videoId, kind, second })) continue
        showReaction(kind, second)
        utils.reaction.list.setData(input, (found) => found && withReaction(found, kind, second))
      }
      const isAgain = isFirst && wasBroken.current
      // Comments may have been written before the stream opened. Its count leaves out those of
      // clips.
      const isBehind =
        isAgain ||
        (count !== undefined &&
          (clipId !== undefined || count !== utils.comment.count.getData(input)))
      if (isBehind || changed.includes(topics.comments)) later(comments.look)
      else if (isFirst) void comments.begin().catch(() => undefined)
      if (isAgain) void utils.reaction.list.invalidate(input)
      if (changed.includes(topics.likes) || isAgain) later(readLikes)
    },
  })
  useEffect(() => {
    if (status === 'pending') return
    wasBroken.current ||= hasBegun.current
    hasBegun.current = false
  }, [status])
  const isOver = status === 'error' && [401, 403, 404, 429].includes(errorStatus(error) ?? 0)
  useEffect(() => (isOver ? undefined : notePageIsLive()), [isOver])
  useEffect(() => forgetNews, [])
  useReconnect(isOver ? 'idle' : status, reset)
  return null
}
