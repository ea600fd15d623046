import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { RatingCounts } from '#shared/community.schemas.ts'
import { RateInvitation, RatePair } from './rate-pair.tsx'
import { useRating } from './use-rating.ts'

type VideoRatingProps = { video: { id: number } & RatingCounts; isSignedIn: boolean }

/** Likes and dislikes of a video. */
export function VideoRating({ video, isSignedIn }: VideoRatingProps) {
  const utils = trpc.useUtils()
  const input = { id: video.id }
  const rating = useRating(video, {
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
  if (!isSignedIn) return <RateInvitation counts={video} size="medium" text="Sign in to like" />
  return <RatePair counts={video} size="medium" onPress={rating.press} />
}
