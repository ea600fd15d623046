import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type ComponentProps, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { row } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { QUIET_VIDEOS } from '#shared/limits.ts'
import { GameHeadSkeleton } from '../../browse/game/game-head-skeleton.tsx'
import { HomeShelf } from '../../browse/home/home-shelf.tsx'
import { Tonight, TonightSkeleton } from '../../browse/home/tonight.tsx'
import { type Shelf, useMemberShelves } from '../../browse/home/use-member-shelves.ts'
import { VisitorShelves } from '../../browse/home/visitor-shelves.tsx'
import { toCategory } from '../../browse/video/list/category.ts'
import { CategoryStrip } from '../../browse/video/list/category-strip.tsx'
import {
  type MaxColumns,
  VIDEO_COLUMN_PX,
  VideoGrid,
  VideoGridSkeleton,
} from '../../browse/video/list/video-grid.tsx'
import { VideoShelfSkeleton } from '../../browse/video/list/video-shelf.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorMessage } from '../../platform/error-message.ts'
import { MEMBER_SHELVES } from '../../platform/hidden-shelves.ts'
import { useSite } from '../../platform/use-site.ts'
import { trpc } from '../../trpc.ts'
import { playerHost, subscribeToPlayerHost } from '../../watch/player/host/hosted-player.ts'
import classes from './home-page.module.css'

const GameHead = lazyPart(() => import('../../browse/game/game-head.tsx'))
const VisitLine = lazyPart(() => import('../../browse/home/visit-line.tsx'))
const EmptyHome = lazyPart(() => import('../../browse/home/empty-home.tsx'))
const FirstSteps = lazyPart(() => import('../../browse/home/first-steps.tsx'))
const MemberShelves = lazyPart(() => import('../../browse/home/member-shelves.tsx'))
const NoVideos = lazyPart(() => import('../../browse/home/no-videos.tsx'))
const Pinned = lazyPart(() => import('../../browse/home/pinned.tsx'))

/** The shelves are below the first screen. */
const ROWS_BEFORE_SHELVES = 3
/** Up to this number of videos the shelves are at the end. */
const FEW_VIDEOS = 16
const GAP_PX = 16
/** Below this number of videos the page also says what to do next. */
const STARTED_VIDEOS = 4

const route = getRouteApi('/shell/')

export function HomePage() {
  const { data: viewer } = trpc.auth.currentUser.useQuery()
  const category = toCategory(route.useSearch().category)
  const videos = trpc.video.list.useInfiniteQuery({ category }, nextPage)
  const { data: pinned } = trpc.explore.pinned.useQuery()
  const isStart = category === undefined
  const { isPending, shelves: ofMember } = useMemberShelves(videos.data?.pages[0]?.items ?? [])
  const evening = trpc.home.tonight.useQuery(undefined, { enabled: isStart })
  const visit = trpc.home.visit.useQuery(undefined, { enabled: isStart && Boolean(viewer) })
  const game = trpc.home.game.useQuery({ category: category ?? '' }, { enabled: !isStart })
  const isPlaying = useSyncExternalStore(subscribeToPlayerHost, () => playerHost().shown !== null)
  const welcome = useSite()?.welcome
  const all = videos.data?.pages.flatMap((page) => page.items)
  const isWaiting = videos.isPending || (isStart ? isPending || evening.isLoading : game.isLoading)
  const isQuiet = isStart && !videos.hasNextPage && all !== undefined && all.length < QUIET_VIDEOS
  // A site with few videos shows fewer, larger cards per row.
  const maxColumns = isQuiet ? 3 : undefined
  const tonight = isStart ? evening.data : null
  const faces = visit.data?.people.length ? (
    <VisitLine visit={visit.data} standIn={<p className={classes.line} />} />
  ) : null
  // If a shelf held most of the videos, few would be left for the grid.
  const isMost = (shelf: Shelf) => isQuiet && shelf.videos.length * 2 > (all?.length ?? 0)
  const tonightId = tonight?.kind === 'video' ? tonight.video.id : undefined
  const shelves = ofMember
    .filter((shelf) => shelf.name !== 'fresh' || !isMost(shelf))
    .map(({ name, videos }) => ({ name, videos: videos.filter(({ id }) => id !== tonightId) }))
    .filter(({ videos }) => videos.length > 0)
  // The grid omits videos that are shown above it.
  const shown = new Set(isStart ? shelves.flatMap((shelf) => shelf.videos.map(({ id }) => id)) : [])
  if (tonightId !== undefined) shown.add(tonightId)
  const items = all?.filter(({ id }) => !shown.has(id))
  const isRefreshing = videos.isRefetching && !videos.isFetchingNextPage
  return (
    <>
      <PageTitle title={category} />
      <h1 className="visually-hidden">{category ? `${category} videos` : 'Videos'}</h1>
      <div className={`${row(16, 'below24')} ${classes.bar}`}>
        <CategoryStrip />
        <Button
          variant="default"
          size="sm"
          className={classes.refresh}
          leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
          disabled={isRefreshing}
          onClick={() => void videos.refetch()}
        >
          <span className={classes.refreshText}>{isRefreshing ? 'Refreshing...' : 'Refresh'}</span>
        </Button>
      </div>
      {isStart && viewer === null && welcome && <p className={classes.welcome}>{welcome}</p>}
      {isWaiting && (isStart ? <TonightSkeleton /> : <GameHeadSkeleton />)}
      {!isWaiting && tonight && (
        <Tonight tonight={tonight} isStill={isPlaying}>
          {faces}
        </Tonight>
      )}
      {!isWaiting && isStart && !tonight && faces}
      {!isWaiting && !isStart && game.data && (
        <GameHead game={game.data} standIn={<GameHeadSkeleton />} />
      )}
      {isStart && pinned && (pinned.notice || pinned.video) && (
        <Pinned {...pinned} standIn={<div className={classes.pinned} />} />
      )}
      {isWaiting && <VideoGridSkeleton maxColumns={maxColumns} />}
      {!isWaiting && !items && (
        <LoadError
          text={`Error loading videos: ${errorMessage(videos.error)}`}
          error={videos.error}
          onRetry={() => void videos.refetch()}
        />
      )}
      {!isWaiting &&
        all?.length === 0 &&
        (category ? <NoVideos category={category} standIn={null} /> : <EmptyHome standIn={null} />)}
      {!isWaiting && isStart && shelves.length > 0 && (
        <MemberShelves
          {...{ shelves, maxColumns }}
          standIn={<ShelvesSkeleton {...{ shelves, maxColumns }} />}
        />
      )}
      {!isWaiting && items && all?.length !== 0 && (
        <Videos
          {...{ videos: items, query: videos, maxColumns }}
          hasShelves={isStart}
          isMember={Boolean(viewer)}
        />
      )}
      {!isWaiting && isQuiet && all.length > 0 && all.length < STARTED_VIDEOS && (
        <FirstSteps standIn={null} />
      )}
    </>
  )
}

type ShelvesProps = { shelves: Shelf[]; maxColumns: MaxColumns | undefined }

function ShelvesSkeleton({ shelves, maxColumns }: ShelvesProps) {
  return shelves.map(({ name, videos }) =>
    videos.length === 1 ? (
      <div key={name} className={classes.shelfLine} />
    ) : (
      <HomeShelf key={name} title={MEMBER_SHELVES[name]}>
        <VideoShelfSkeleton maxColumns={maxColumns} />
      </HomeShelf>
    ),
  )
}

type VideosProps = Pick<ComponentProps<typeof VideoGrid>, 'videos' | 'query'> & {
  maxColumns: MaxColumns | undefined
  hasShelves: boolean
  isMember: boolean
}

/** Shelves follow the first rows of the grid. */
function Videos({ videos, query, maxColumns, hasShelves, isMember }: VideosProps) {
  const [ref, columns] = useColumns()
  if (!hasShelves) return <VideoGrid videos={videos} query={query} />
  const few = videos.length <= FEW_VIDEOS ? videos.length : undefined
  const first = few ?? ROWS_BEFORE_SHELVES * columns
  return (
    <div ref={ref}>
      <VideoGrid key={first} videos={videos.slice(0, first)} maxColumns={maxColumns} />
      <VisitorShelves {...{ few, isMember, maxColumns }} />
      {videos.length > first && (
        <VideoGrid {...{ query, maxColumns }} videos={videos.slice(first)} isAboveFold={false} />
      )}
    </div>
  )
}

/** Known before the first paint. */
function useColumns() {
  const ref = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    const frame = ref.current
    if (!frame) return
    const measure = () =>
      setColumns(Math.floor((frame.clientWidth + GAP_PX) / VIDEO_COLUMN_PX) || 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    return () => observer.disconnect()
  }, [])
  return [ref, columns] as const
}
