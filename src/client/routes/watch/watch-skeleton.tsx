import type { ReactNode, RefCallback } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { CommentsSkeleton } from '../../watch/comment/comments.tsx'
import { RecommendedSkeleton } from '../../watch/recommendation/recommended-videos.tsx'
import { AboutSkeleton } from './about-video.tsx'
import { WatchLayout } from './watch-layout.tsx'
import classes from './watch-page.module.css'

type WatchSkeletonProps = { slot: RefCallback<HTMLDivElement>; queue: ReactNode }

export function WatchSkeleton({ slot, queue }: WatchSkeletonProps) {
  return (
    <WatchLayout
      slot={slot}
      screen={<div className={`${classes.skeletonScreen} ${look('skeletonGround')}`} />}
      about={<AboutSkeleton />}
      comments={<CommentsSkeleton />}
      queue={queue}
      recommended={<RecommendedSkeleton />}
    />
  )
}
