import type { ReactNode } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { VideoCard, VideoCardSkeleton } from './video-card.tsx'
import classes from './video-grid.module.css'

const ABOVE_FOLD = 8

/** Video cards in as many columns as fit; `children` are further cells. */
export function VideoGrid({ videos, children }: { videos: Video[]; children?: ReactNode }) {
  return (
    <div className={classes.grid}>
      {videos.map((video, index) => (
        <VideoCard key={video.id} video={video} isAboveFold={index < ABOVE_FOLD} />
      ))}
      {children}
    </div>
  )
}

/** The grid before anything is known of it. */
export function VideoGridSkeleton({ count = 8 }: { count?: number }) {
  return (
    <div role="status" aria-label="Loading videos" className={classes.grid}>
      <VideoCardSkeletons count={count} />
    </div>
  )
}

/** Cells of a grid whose videos are on their way. */
export function VideoCardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => index).map((index) => (
    <VideoCardSkeleton key={index} />
  ))
}
