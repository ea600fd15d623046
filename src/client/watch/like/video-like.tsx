import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { LikeCounts } from '#shared/schemas/community.schemas.ts'
import { LikeInvitation, LikePair } from './like-pair.tsx'
import { useLike } from './use-like.ts'

type VideoLikeProps = { video: { id: number } & LikeCounts; isSignedIn: boolean }

export function VideoLike({ video, isSignedIn }: VideoLikeProps) {
  const utils = trpc.useUtils()
  const input = { id: video.id }
  const like = useLike(video, {
    target: { videoId: video.id },
    stopReading: () => utils.video.get.cancel(input),
    show: ({ likeCount, dislikeCount, myRating }) =>
      utils.video.get.setData(input, (old) => old && { ...old, likeCount, dislikeCount, myRating }),
    onSaved: () => notify({ title: 'Success', message: 'Your rating has been saved' }),
    onFailed: (error) =>
      notify({
        tone: 'error',
        title: 'Error',
        message: `Failed to save rating: ${errorMessage(error)}`,
      }),
  })
  if (!isSignedIn) return <LikeInvitation counts={video} size="medium" text="Sign in to like" />
  return <LikePair counts={video} size="medium" onPress={like.press} />
}
