import type { ReactNode } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { usePositions } from './use-positions.ts'
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
  const positions = usePositions(videos)
  const firstRow = Math.max(2, Math.floor(window.innerWidth / COLUMN_PX))
  return (
    <div className={classes.grid} data-max-columns={maxColumns}>
      {videos.map((video, index) => (
        <VideoCard
          key={video.id}
          video={video}
          isAboveFold={index < firstRow}
          positionSeconds={positions.get(video.id)}
          {...look}
        />
      ))}
      {children}
    </div>
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
