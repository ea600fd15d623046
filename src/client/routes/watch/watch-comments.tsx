import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import type { CommentsInput } from '../../watch/comment/comment-context.ts'
import { useSorted } from '../../watch/comment/comment-sort.ts'
import { Comments } from '../../watch/comment/comments.tsx'
import { CommentLike } from '../../watch/like/comment-like.tsx'
import { openPlayer } from '../../watch/player/host/use-player-slot.ts'

type WatchCommentsProps = {
  listInput: CommentsInput
  /** How long what plays is: times in comments lead into it. */
  seconds: number
  video: Pick<Video, 'userId' | 'isAnonymous' | 'commentsOff'>
}

/** The conversation beside the player, about a video or a clip of it. */
export function WatchComments({ seconds, video, ...props }: WatchCommentsProps) {
  const viewer = useSession()
  const listInput = useSorted(props.listInput)
  return (
    <Comments
      context={{
        listInput,
        durationSeconds: seconds,
        viewer,
        uploaderId: video.isAnonymous ? null : video.userId,
        ownsVideo: viewer !== null && viewer.id === video.userId,
        onSeek: (time) => openPlayer.current?.playFrom(time),
        areCommentsOff: video.commentsOff,
        renderLike: (comment) => <CommentLike comment={comment} isSignedIn={viewer !== null} />,
      }}
    />
  )
}
