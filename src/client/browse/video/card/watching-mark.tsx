import { look } from '#client/kit/layout/layout.ts'
import { useWatchingCount } from '#client/platform/video/watching-counts.ts'
import classes from './watching-mark.module.css'

/** Lies over the picture so that nothing moves when the count changes. */
export function WatchingMark({ videoId }: { videoId: number }) {
  const count = useWatchingCount(videoId)
  if (count === 0) return null
  return (
    <span className={`${classes.mark} ${look('pill', 'scrim', 'size12', 'tightLines')}`}>
      {count} watching
    </span>
  )
}
