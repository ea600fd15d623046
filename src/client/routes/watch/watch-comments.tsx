import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { Comments } from '../../watch/comment/comments.tsx'
import { CommentLike } from '../../watch/like/comment-like.tsx'
import { openPlayer } from '../../watch/player/host/use-player-slot.ts'

type WatchCommentsProps = {
  video: Pick<Video, 'id' | 'userId' | 'isAnonymous' | 'commentsOff'>
  /** The current clip. */
  clipId?: number
  /** Times in comments within it become links. */
  seconds: number
  /** Is called instead of seeking in the open player. */
  onSeek?: ((seconds: number) => void) | undefined
}

/** About the video, or the clip. */
export function WatchComments({ video, clipId, seconds, onSeek }: WatchCommentsProps) {
  const viewer = useSession()
  const place = clipId === undefined ? { id: video.id } : { id: video.id, clipId }
  return (
    <Comments
      subject={{
        place,
        ownerId: video.isAnonymous ? null : video.userId,
        isOwn: viewer !== null && viewer.id === video.userId,
        areCommentsOff: video.commentsOff,
        durationSeconds: seconds,
        onSeek: onSeek ?? ((time) => openPlayer.current?.playFrom(time)),
      }}
      viewer={viewer}
      renderLike={(comment) => <CommentLike comment={comment} isSignedIn={viewer !== null} />}
    />
  )
}
