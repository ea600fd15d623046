import { Link, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { buttonClass } from '../components/button.tsx'
import { UnpluggedDrawing } from '../components/drawings.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { useSession } from '../features/auth/use-session.ts'
import { Comments, CommentsSkeleton } from '../features/comment/comments.tsx'
import { RichText } from '../features/comment/rich-text.tsx'
import { VideoUnavailable } from '../features/player/playback-error.tsx'
import { ProcessingPanel } from '../features/player/processing-panel.tsx'
import { ShareButton } from '../features/player/share-button.tsx'
import { VideoDescription } from '../features/player/video-description.tsx'
import { parseVideoId } from '../features/player/video-id.ts'
import { VideoMetaTags } from '../features/player/video-meta-tags.tsx'
import { type PlayerHandle, VideoPlayer } from '../features/player/video-player.tsx'
import { CommentRating } from '../features/rating/comment-rating.tsx'
import { VideoRating } from '../features/rating/video-rating.tsx'
import {
  RecommendedSkeleton,
  RecommendedVideos,
} from '../features/recommendation/recommended-videos.tsx'
import { ChannelRow } from '../features/subscription/channel-row.tsx'
import { serverSentence } from '../lib/error-message.ts'
import { trpc } from '../trpc.ts'
import classes from './watch-page.module.css'

const COMMENTS_PER_PAGE = 20
const NOT_FOUND = 'This video could not be found or is no longer available.'

export function WatchPage() {
  const id = parseVideoId(useParams({ from: '/shell/video/$id' }).id)
  const query = trpc.video.get.useQuery(
    { id: id ?? 0 },
    // The route's loader has just asked: when that failed, asking again at once is no use.
    { enabled: id !== undefined, retryOnMount: false },
  )
  if (query.data) return <WatchVideo key={query.data.id} video={query.data} />
  if (id !== undefined && query.isPending) return <WatchSkeleton />
  return (
    <>
      <PageTitle title="Error Loading Video" />
      <EmptyState
        role="alert"
        drawing={<UnpluggedDrawing />}
        title="Error Loading Video"
        action={
          <Link to="/" className={buttonClass()}>
            Return to Home
          </Link>
        }
      >
        {serverSentence(query.error) || NOT_FOUND}
      </EmptyState>
    </>
  )
}

function WatchVideo({ video }: { video: Video }) {
  const viewer = useSession()
  const player = useRef<PlayerHandle>(null)
  const seek = (seconds: number) => player.current?.playFrom(seconds)
  const listInput = { id: video.id, limit: COMMENTS_PER_PAGE }
  const durationSeconds = video.duration
  return (
    <div className={classes.page}>
      <PageTitle title={video.title} />
      <VideoMetaTags video={video} />
      <div className={classes.stage}>
        {video.thumbnailUrl && (
          <img className={classes.glow} src={video.thumbnailUrl} alt="" aria-hidden="true" />
        )}
        <div className={classes.picture}>
          <Screen video={video} ref={player} />
        </div>
      </div>
      <div className={classes.about}>
        <h1 className={classes.title}>{video.title}</h1>
        <Badges video={video} />
        <div className={classes.row}>
          <ChannelRow channel={video.channel} viewerId={viewer?.id} />
          <div className={classes.actions}>
            <VideoRating video={video} isSignedIn={viewer !== null} />
            <ShareButton title={video.title} path={`/video/${video.id}`} />
          </div>
        </div>
        <VideoDescription
          video={video}
          renderText={(text, maxCharacters) => (
            <RichText {...{ text, maxCharacters, durationSeconds }} onSeek={seek} />
          )}
        />
      </div>
      <div className={classes.comments}>
        <Comments
          listInput={listInput}
          context={{
            videoId: video.id,
            durationSeconds,
            viewer,
            onSeek: seek,
            renderRating: (comment) => (
              <CommentRating {...{ comment, listInput }} isSignedIn={viewer !== null} />
            ),
          }}
        />
      </div>
      <aside className={classes.recommended}>
        <RecommendedVideos videoId={video.id} />
      </aside>
    </div>
  )
}

/** The player, or what stands in its place. */
function Screen({ video, ref }: { video: Video; ref: React.Ref<PlayerHandle> }) {
  const { processingState, videoUrl } = video
  // Somebody who clicked a card wants to watch it; one who waits for their upload may be elsewhere.
  const [wasReadyAtOnce] = useState(processingState === 'ready')
  if (processingState !== 'ready') return <ProcessingPanel video={video} />
  if (!videoUrl) return <VideoUnavailable />
  return (
    <VideoPlayer
      key={videoUrl}
      ref={ref}
      videoUrl={videoUrl}
      posterUrl={video.thumbnailUrl}
      title={video.title}
      durationSeconds={video.duration}
      videoFileExists={video.videoFileExists}
      autoPlay={wasReadyAtOnce && navigator.userActivation?.hasBeenActive === true}
    />
  )
}

function Badges({ video }: { video: Video }) {
  const isOwnAnonymous = video.isAnonymous && video.channel !== null
  if (video.contentApproved && !isOwnAnonymous) return null
  return (
    <p className={classes.badges}>
      {!video.contentApproved && <span className={classes.badge}>Pending Approval</span>}
      {isOwnAnonymous && <span className={classes.badge}>Anonymous</span>}
    </p>
  )
}

function WatchSkeleton() {
  return (
    <div className={classes.page} role="status" aria-label="Loading video">
      <div className={classes.stage}>
        <div className={`${classes.picture} ${classes.bone}`} />
      </div>
      <div className={classes.about} aria-hidden="true">
        <div className={`${classes.boneTitle} ${classes.bone}`} />
        <div className={`${classes.boneRow} ${classes.bone}`} />
        <div className={`${classes.boneBox} ${classes.bone}`} />
      </div>
      <div className={classes.comments}>
        <CommentsSkeleton />
      </div>
      <div className={classes.recommended}>
        <RecommendedSkeleton />
      </div>
    </div>
  )
}
