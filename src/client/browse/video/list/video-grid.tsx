import { type ComponentProps, memo, type ReactNode } from 'react'
import { LoadMore } from '#client/kit/list/load-more.tsx'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { VideoCard, type VideoCardProps, VideoCardSkeleton } from '../card/video-card.tsx'
import columns from './columns.module.css'
import { useGrowingCount } from './use-growing-count.ts'
import { BATCH_SIZE, toBatches, usePositions } from './use-positions.ts'
import classes from './video-grid.module.css'

/** Least column width with gap. */
export const VIDEO_COLUMN_PX = 296
/** Cards per skipped block: whole rows of one to six or eight. */
const BLOCK = 5 * BATCH_SIZE
/** Placeholders of a loading page. */
const WAITING_CARDS = 4

export type MaxColumns = 3 | 4

type GridLook = Pick<VideoCardProps, 'heading' | 'isOnChannel'> & {
  /** Unlimited by default. */
  maxColumns?: MaxColumns | undefined
}

type VideoGridProps = GridLook & {
  videos: Video[]
  /** Its first row is visible at first. */
  isAboveFold?: boolean
  /** Set when there may be more. */
  query?: ComponentProps<typeof LoadMore>['query']
}

/** Loads more near its end. */
export function VideoGrid({
  videos,
  query,
  maxColumns,
  isAboveFold = true,
  ...cardProps
}: VideoGridProps) {
  const count = useGrowingCount(videos)
  const isAllDrawn = count === videos.length
  const coming = query?.isFetchingNextPage ? WAITING_CARDS : 0
  const cells = Math.min(count + WAITING_CARDS, videos.length + coming)
  return (
    <>
      <Grid maxColumns={maxColumns} isOnChannel={cardProps.isOnChannel}>
        {toBlocks(cells).map((block) => (
          <Block key={block.start} {...{ videos, count, isAboveFold }} {...block} {...cardProps} />
        ))}
      </Grid>
      {query && isAllDrawn && <LoadMore query={query} />}
    </>
  )
}

type GridProps = Omit<GridLook, 'heading'> & { children: ReactNode }

function Grid({ maxColumns, isOnChannel, children }: GridProps) {
  return (
    <div className={columns.frame}>
      <div
        className={`${columns.videos} ${classes.grid}`}
        data-max-columns={maxColumns}
        data-nameless={isOnChannel || undefined}
      >
        {children}
      </div>
    </div>
  )
}

function toBlocks(cells: number): { start: number; end: number }[] {
  const count = Math.ceil(cells / BLOCK)
  return Array.from({ length: count }, (_, index) => ({
    start: index * BLOCK,
    end: Math.min((index + 1) * BLOCK, cells),
  }))
}

type BlockProps = Omit<GridLook, 'maxColumns'> & {
  videos: Video[]
  isAboveFold: boolean
  /** Rendered ones. */
  count: number
  /** Half-open; later cells are placeholders. */
  start: number
  end: number
}

function Block({ videos, isAboveFold, count, start, end, ...cardProps }: BlockProps) {
  const drawnEnd = Math.min(end, count)
  const batches = toBatches(videos).filter((one) => one.start >= start && one.start < drawnEnd)
  return (
    <div className={classes.block} data-whole={end - start === BLOCK || undefined}>
      {batches.map((one) => (
        <Batch
          key={one.start}
          videos={one.items}
          count={Math.min(one.items.length, drawnEnd - one.start)}
          isFirst={isAboveFold && one.start === 0}
          {...cardProps}
        />
      ))}
      <VideoCardSkeletons
        count={end - Math.max(start, drawnEnd)}
        isOnChannel={cardProps.isOnChannel}
      />
    </div>
  )
}

type BatchProps = Omit<GridLook, 'maxColumns'> & {
  videos: Video[]
  /** Rendered ones. */
  count: number
  isFirst: boolean
}

/** One query of resume positions. */
const Batch = memo(function Batch({ videos, count, isFirst, ...cardProps }: BatchProps) {
  const positions = usePositions(videos)
  const firstRow = isFirst ? Math.max(2, Math.floor(globalThis.innerWidth / VIDEO_COLUMN_PX)) : 0
  return videos
    .slice(0, count)
    .map((video, index) => (
      <Card
        key={video.id}
        video={video}
        isAboveFold={index < firstRow}
        positionSeconds={positions.get(video.id)}
        {...cardProps}
      />
    ))
}, isSameBatch)

/** Not rendered again when others are added. */
const Card = memo(VideoCard)

function isSameBatch(before: BatchProps, after: BatchProps): boolean {
  return (
    before.videos.length === after.videos.length &&
    before.videos.every((video, index) => video === after.videos[index]) &&
    before.count === after.count &&
    before.isFirst === after.isFirst &&
    before.heading === after.heading &&
    before.isOnChannel === after.isOnChannel
  )
}

export function VideoGridSkeleton({
  count = 8,
  maxColumns,
  ...cardProps
}: GridLook & { count?: number }) {
  return (
    <div role="status" aria-label="Loading videos">
      <Grid maxColumns={maxColumns} isOnChannel={cardProps.isOnChannel}>
        <VideoCardSkeletons count={count} isOnChannel={cardProps.isOnChannel} />
      </Grid>
    </div>
  )
}

function VideoCardSkeletons(props: { count: number; isOnChannel?: boolean | undefined }) {
  return Array.from({ length: props.count }, (_, index) => index).map((index) => (
    <VideoCardSkeleton key={index} isOnChannel={props.isOnChannel} />
  ))
}
