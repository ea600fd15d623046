import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useRef } from 'react'
import { useSession } from '../../account/auth/use-session.ts'
import { findKnownVideo } from '../../browse/video/known-video.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { UnpluggedDrawing } from '../../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorStatus, serverSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { Comments, CommentsSkeleton } from '../../watch/comment/comments.tsx'
import { CommentLike } from '../../watch/like/comment-like.tsx'
import { usePlayerMemory } from '../../watch/player/use-player-memory.ts'
import { parseVideoId } from '../../watch/player/video-id.ts'
import type { PlayerHandle } from '../../watch/player/video-player.tsx'
import {
  RecommendedSkeleton,
  RecommendedVideos,
} from '../../watch/recommendation/recommended-videos.tsx'
import { ReportButton } from '../../watch/report/report-button.tsx'
import { AboutSkeleton, AboutVideo } from './about-video.tsx'
import classes from './watch-page.module.css'
import { commentsOf, type WatchPart } from './watch-part.ts'
import { WatchScreen } from './watch-screen.tsx'

const NOT_FOUND = 'This video could not be found or is no longer available.'

export function WatchPage() {
  const id = parseVideoId(useParams({ from: '/shell/video/$id' }).id)
  const query = trpc.video.get.useQuery(
    { id: id ?? 0 },
    // The route's loader has just asked: when that failed, asking again at once is no use.
    { enabled: id !== undefined, retryOnMount: false, placeholderData: () => findKnownVideo(id) },
  )
  const player = useRef<PlayerHandle>(null)
  const frame = useRef<HTMLDivElement>(null)
  const { data: video } = query
  if (!video && (id === undefined || !query.isPending)) {
    return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  }
  if (!video) {
    return (
      <WatchLayout
        frame={frame}
        screen={<div className={`${classes.skeletonScreen} ${classes.skeleton}`} />}
        about={<AboutSkeleton />}
        comments={<CommentsSkeleton />}
        recommended={<RecommendedSkeleton />}
      />
    )
  }
  const { id: key } = video
  const props = { video, player }
  return (
    <WatchLayout
      frame={frame}
      glowUrl={video.thumbnailUrl}
      screen={<WatchScreen key={key} {...props} frame={frame} />}
      about={<AboutVideo key={key} {...props} />}
      comments={<CommentSection key={key} {...props} />}
      recommended={<RecommendedVideos key={key} videoId={key} />}
    />
  )
}

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  // What is not there will not be there the next moment.
  const isGone = !error || [400, 404].includes(errorStatus(error) ?? 0)
  return (
    <>
      <PageTitle title="Error Loading Video" />
      <EmptyState
        role="alert"
        heading="h1"
        drawing={<UnpluggedDrawing />}
        title="Error Loading Video"
        action={
          <>
            {!isGone && <Button onClick={onRetry}>Try again</Button>}
            <LinkButton to="/" variant={isGone ? 'filled' : 'default'}>
              Return to Home
            </LinkButton>
          </>
        }
      >
        {serverSentence(error) || NOT_FOUND}
      </EmptyState>
    </>
  )
}

type WatchLayoutProps = {
  frame: RefObject<HTMLDivElement | null>
  glowUrl?: string | null
  screen: ReactNode
  about: ReactNode
  comments: ReactNode
  recommended: ReactNode
}

/**
 * The places of the page. What shows the video stays the same element from one video to the next,
 * so that full screen outlives them.
 */
function WatchLayout({ frame, glowUrl, ...slots }: WatchLayoutProps) {
  const isTheatre = usePlayerMemory('isTheatre')
  return (
    <div className={classes.page} data-theatre={isTheatre || undefined}>
      <div className={classes.stage}>
        {glowUrl && <img className={classes.glow} src={glowUrl} alt="" aria-hidden="true" />}
        <div className={classes.picture} ref={frame}>
          {slots.screen}
        </div>
      </div>
      <div className={classes.about}>{slots.about}</div>
      <div className={classes.comments}>{slots.comments}</div>
      <aside className={classes.recommended}>{slots.recommended}</aside>
    </div>
  )
}

function CommentSection({ video, player }: WatchPart) {
  const viewer = useSession()
  const listInput = commentsOf(video)
  return (
    <Comments
      context={{
        listInput,
        durationSeconds: video.duration,
        viewer,
        ownsVideo: viewer !== null && viewer.id === video.userId,
        onSeek: (seconds) => player.current?.playFrom(seconds),
        areCommentsOff: video.commentsOff,
        renderReport: ({ id: commentId }, className) => (
          <ReportButton target={{ commentId }} noun="comment" className={className} />
        ),
        renderLike: (comment) => (
          <CommentLike {...{ comment, listInput }} isSignedIn={viewer !== null} />
        ),
      }}
    />
  )
}
