import { memo, type ReactNode, useDeferredValue } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { toStretches, usePositions } from './use-positions.ts'
import { VideoCard, type VideoCardProps, VideoCardSkeleton } from './video-card.tsx'
import classes from './video-grid.module.css'

const COLUMN_PX = 296

type GridLook = Pick<VideoCardProps, 'heading' | 'isOnChannel'> & {
  /** Without it there are as many columns as fit. */
  maxColumns?: 4
}

type VideoGridProps = GridLook & {
  videos: Video[]
  /** Further cells. */
  children?: ReactNode
}

/** Video cards in columns of one width. */
export function VideoGrid({ videos, children, maxColumns, ...look }: VideoGridProps) {
  // A page that is added is drawn in small steps, so that scrolling goes on meanwhile.
  const shown = useDeferredValue(videos)
  return (
    <div className={classes.grid} data-max-columns={maxColumns}>
      {toStretches(shown).map(({ start, items }) => (
        <Stretch key={start} videos={items} isFirst={start === 0} {...look} />
      ))}
      {children}
    </div>
  )
}

type StretchProps = Omit<GridLook, 'maxColumns'> & { videos: Video[]; isFirst: boolean }

/** As many cards as come at once. A page that is added leaves those before it as they are. */
const Stretch = memo(function Stretch({ videos, isFirst, ...look }: StretchProps) {
  const positions = usePositions(videos)
  const firstRow = isFirst ? Math.max(2, Math.floor(globalThis.innerWidth / COLUMN_PX)) : 0
  return videos.map((video, index) => (
    <VideoCard
      key={video.id}
      video={video}
      isAboveFold={index < firstRow}
      positionSeconds={positions.get(video.id)}
      {...look}
    />
  ))
}, isSameStretch)

function isSameStretch(before: StretchProps, after: StretchProps): boolean {
  return (
    before.videos.length === after.videos.length &&
    before.videos.every((video, index) => video === after.videos[index]) &&
    before.isFirst === after.isFirst &&
    before.heading === after.heading &&
    before.isOnChannel === after.isOnChannel
  )
}

/** The grid before anything is known of it. */
export function VideoGridSkeleton({
  count = 8,
  maxColumns,
  ...look
}: GridLook & { count?: number }) {
  return (
    <div
      role="status"
      aria-label="Loading videos"
      className={classes.grid}
      data-max-columns={maxColumns}
    >
      <VideoCardSkeletons count={count} isOnChannel={look.isOnChannel} />
    </div>
  )
}

/** Cells of a grid whose videos are on their way. */
export function VideoCardSkeletons(props: { count: number; isOnChannel?: boolean | undefined }) {
  return Array.from({ length: props.count }, (_, index) => index).map((index) => (
    <VideoCardSkeleton key={index} isOnChannel={props.isOnChannel} />
  ))
}
