import { showLinked } from '#client/platform/show-linked.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VideoCard, VideoCardSkeleton } from '../card/video-card.tsx'
import columns from './columns.module.css'
import { usePositions } from './use-positions.ts'
import type { MaxColumns } from './video-grid.tsx'
import classes from './video-shelf.module.css'

const SKELETONS = [0, 1, 2, 3, 4, 5]

type VideoShelfProps = {
  videos: Video[]
  heading?: 'h2' | 'h3'
  /** Should equal the value of the grid on the same page. */
  maxColumns?: MaxColumns | undefined
  /** Id of the video that the page's address links to. */
  linkedId?: number | undefined
}

/** One scrolling row. */
export function VideoShelf({ videos, heading, maxColumns, linkedId }: VideoShelfProps) {
  const positions = usePositions(videos)
  return (
    <div className={columns.frame}>
      <ul
        className={`${columns.videos} ${classes.shelf} ${classes.cards}`}
        data-max-columns={maxColumns}
      >
        {videos.map((video) => (
          <li
            key={video.id}
            ref={video.id === linkedId ? showLinked : undefined}
            tabIndex={video.id === linkedId ? -1 : undefined}
            data-linked={video.id === linkedId || undefined}
          >
            <VideoCard video={video} heading={heading} positionSeconds={positions.get(video.id)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

export function VideoShelfSkeleton({ maxColumns }: Pick<VideoShelfProps, 'maxColumns'>) {
  return (
    <div className={columns.frame}>
      <div
        className={`${columns.videos} ${classes.shelf}`}
        data-max-columns={maxColumns}
        role="status"
        aria-label="Loading videos"
      >
        {SKELETONS.map((index) => (
          <VideoCardSkeleton key={index} />
        ))}
      </div>
    </div>
  )
}
