import { memo, type ReactNode, useDeferredValue } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { STRETCH, toStretches, usePositions } from './use-positions.ts'
import { VideoCard, type VideoCardProps, VideoCardSkeleton } from './video-card.tsx'
import classes from './video-grid.module.css'

const COLUMN_PX = 296
/** With so many stretches a block has 120 cards: whole rows of one to six, or eight. */
const BLOCK_STRETCHES = 5

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
    <Grid maxColumns={maxColumns} isOnChannel={look.isOnChannel}>
      {toBlocks(toStretches(shown)).map(({ start, stretches, isWhole }) => (
        <div key={start} className={classes.block} data-whole={isWhole || undefined}>
          {stretches.map(({ start, items }) => (
            <Stretch key={start} videos={items} isFirst={start === 0} {...look} />
          ))}
        </div>
      ))}
      {children}
    </Grid>
  )
}

type GridProps = Omit<GridLook, 'heading'> & { children: ReactNode }

function Grid({ maxColumns, isOnChannel, children }: GridProps) {
  return (
    <div className={classes.frame}>
      <div
        className={classes.grid}
        data-max-columns={maxColumns}
        data-nameless={isOnChannel || undefined}
      >
        {children}
      </div>
    </div>
  )
}

function toBlocks(stretches: ReturnType<typeof toStretches<Video>>) {
  const starts = stretches.filter((_, index) => index % BLOCK_STRETCHES === 0)
  return starts.map(({ start }, index) => {
    const own = stretches.slice(index * BLOCK_STRETCHES, (index + 1) * BLOCK_STRETCHES)
    const count = own.reduce((sum, { items }) => sum + items.length, 0)
    return { start, stretches: own, isWhole: count === BLOCK_STRETCHES * STRETCH }
  })
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
    <div role="status" aria-label="Loading videos">
      <Grid maxColumns={maxColumns} isOnChannel={look.isOnChannel}>
        <VideoCardSkeletons count={count} isOnChannel={look.isOnChannel} />
      </Grid>
    </div>
  )
}

/** Cells of a grid whose videos are on their way. */
export function VideoCardSkeletons(props: { count: number; isOnChannel?: boolean | undefined }) {
  return Array.from({ length: props.count }, (_, index) => index).map((index) => (
    <VideoCardSkeleton key={index} isOnChannel={props.isOnChannel} />
  ))
}
