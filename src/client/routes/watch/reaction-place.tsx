import { useMediaQuery } from '@mantine/hooks'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import classes from './watch-page.module.css'

const ReactionStrip = lazyPart(() => import('../../watch/reaction/reaction-strip.tsx'), null, null)

type ReactionPlaceProps = {
  video: Video
  /** Where the clip starts in its video. */
  startSeconds?: number
}

/** Shows the reactions below a small player. A wider player has them over its picture. */
export function ReactionPlace({ video, startSeconds = 0 }: ReactionPlaceProps) {
  const isSmall = useMediaQuery('(max-width: 559.98px)', false, { getInitialValueInEffect: false })
  if (!isSmall || !video.allowsReactions || video.processingState !== 'ready') return null
  return (
    <div className={classes.reactions}>
      <ReactionStrip videoId={video.id} startSeconds={startSeconds} />
    </div>
  )
}
