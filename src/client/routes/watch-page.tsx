import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Video } from '#shared/video.schemas.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { UnpluggedDrawing } from '../components/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { PageTitle } from '../components/page-title.tsx'
import { RichText } from '../components/rich-text.tsx'
import { LadderLine } from '../components/work-line.tsx'
import { useSession } from '../features/auth/use-session.ts'
import { Comments, CommentsSkeleton } from '../features/comment/comments.tsx'
import { useWatchProgress } from '../features/history/use-watch-progress.ts'
import { toCaptionTracks } from '../features/player/core/caption-tracks.ts'
import { parseChapters } from '../features/player/core/chapters.ts'
import { findCommentMarks } from '../features/player/core/comment-marks.ts'
import { linesOf, toQualities } from '../features/player/core/qualities.ts'
import { listSoundTracks } from '../features/player/core/sound-tracks.ts'
import { startSecondsOf } from '../features/player/core/time-address.ts'
import { dropBegunVideo } from '../features/player/early/early-video.ts'
import { PlaybackError, VideoUnavailable } from '../features/player/playback-error.tsx'
import { ProcessingPanel } from '../features/player/processing-panel.tsx'
import { ShareButton } from '../features/player/share-button.tsx'
import { useNextVideo } from '../features/player/use-next-video.ts'
import { usePlayerMemory } from '../features/player/use-player-memory.ts'
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
import { ReportButton } from '../features/report/report-button.tsx'
import { ChannelRow } from '../features/subscription/channel-row.tsx'
import { findKnownVideo } from '../features/video/known-video.ts'
import { SaveButton } from '../features/video/save-button.tsx'
import { errorStatus, serverSentence } from '../lib/error-message.ts'
import { trpc } from '../trpc.ts'
import { VideoActions } from './video-actions.tsx'
import classes from './watch-page.module.css'

const ShareDialog = lazy(() => import('../features/sharing/share-dialog.tsx'))

const COMMENTS_PER_PAGE = 20
const NO_HEAT: readonly number[] = []
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
  const isAwaited = !video && id !== undefined && query.isPending
  useEffect(() => {
    // By now the player has taken it, or there is none.
    if (!isAwaited) dropBegunVideo()
  }, [isAwaited])
  if (!video && (id === undefined || !query.isPending)) {
    return <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
  }
  if (!video) {
    return (
      <WatchLayout
        frame={frame}
        screen={<div className={`${classes.boneScreen} ${classes.bone}`} data-awaits-video />}
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
      screen={<Screen key={key} {...props} frame={frame} />}
      about={<About key={key} {...props} />}
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
            <Link to="/" className={buttonClass({ variant: isGone ? 'primary' : 'default' })}>
              Return to Home
            </Link>
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

type PartProps = { video: Video; player: RefObject<PlayerHandle | null> }

function About({ video, player }: PartProps) {
  const { id, title, duration: durationSeconds } = video
  const viewer = useSession()
  const [embedAt, setEmbedAt] = useState<number>()
  const seek = (seconds: number) => player.current?.playFrom(seconds)
  return (
    <>
      {embedAt !== undefined && (
        <Suspense>
          <ShareDialog video={video} atSeconds={embedAt} onClose={() => setEmbedAt(undefined)} />
        </Suspense>
      )}
      <PageTitle title={title} />
      <VideoMetaTags video={video} />
      <h1 className={classes.title}>{title}</h1>
      <Badges video={video} />
      {viewer !== null && viewer.id === video.userId && (
        <LadderLine video={video} className={classes.work} />
      )}
      <div className={classes.row}>
        <ChannelRow channel={video.channel} viewerId={viewer?.id} />
        <div className={classes.actions}>
          <VideoRating video={video} isSignedIn={viewer !== null} />
          <ShareButton title={title} path={`/video/${id}`} player={player} onEmbed={setEmbedAt} />
          <SaveButton video={video} isSignedIn={viewer !== null} />
          <VideoActions video={video} />
        </div>
      </div>
      <VideoDescription
        video={video}
        renderText={(text, maxCharacters) => (
          <RichText {...{ text, maxCharacters, durationSeconds }} onSeek={seek} />
        )}
      />
    </>
  )
}

const commentsOf = (video: Video) => ({ id: video.id, limit: COMMENTS_PER_PAGE })

function CommentSection({ video, player }: PartProps) {
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
          <ReportButton target={{ commentId }} noun="comment" className={className}>
            REPORT
          </ReportButton>
        ),
        renderRating: (comment) => (
          <CommentRating {...{ comment, listInput }} isSignedIn={viewer !== null} />
        ),
      }}
    />
  )
}

type ScreenProps = PartProps & { frame: RefObject<HTMLDivElement | null> }

/** The player, or what stands in its place. */
function Screen({ video, ...rest }: ScreenProps) {
  const { processingState, videoUrl } = video
  // Somebody who clicked a card wants to watch it; one who waits for their upload may be elsewhere.
  const [wasReadyAtOnce] = useState(processingState === 'ready')
  const isOwn = useSession()?.id === video.userId
  if (processingState !== 'ready') return <ProcessingPanel video={video} isOwn={isOwn} />
  if (!videoUrl) return <VideoUnavailable />
  const autoPlay = wasReadyAtOnce && navigator.userActivation?.hasBeenActive === true
  return <ReadyScreen {...{ video, videoUrl, autoPlay }} {...rest} />
}

function ReadyScreen(props: ScreenProps & { videoUrl: string; autoPlay: boolean }) {
  const { video, videoUrl, player, frame, autoPlay } = props
  const { id, title, description, duration: durationSeconds } = video
  const viewer = useSession()
  const utils = trpc.useUtils()
  const search = useLocation({ select: ({ searchStr }) => searchStr })
  const startSeconds = startSecondsOf(search, durationSeconds)
  const onVideo = useWatchProgress({
    videoId: id,
    durationSeconds,
    isSignedIn: viewer !== null,
    startSeconds,
  })
  const chapters = useMemo(
    () => parseChapters(description, durationSeconds),
    [description, durationSeconds],
  )
  const { data: comments } = trpc.comment.list.useInfiniteQuery(commentsOf(video), {
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const marks = useMemo(
    () => findCommentMarks(comments?.pages.flatMap(({ items }) => items) ?? [], durationSeconds),
    [comments, durationSeconds],
  )
  const { data: playback } = trpc.video.playback.useQuery({ id })
  const qualities = useMemo(() => toQualities(playback?.renditions ?? []), [playback])
  const soundTracks = useMemo(
    () => listSoundTracks(playback?.soundLanguage ?? null, playback?.soundTracks ?? []),
    [playback],
  )
  const captions = useMemo(() => toCaptionTracks(playback?.captions ?? []), [playback])
  const next = useNextVideo(id)
  const navigate = useNavigate()
  return (
    <VideoPlayer
      ref={player}
      frameRef={frame}
      videoId={id}
      title={title}
      channelName={video.channel?.displayName ?? 'Anonymous'}
      posterUrl={video.thumbnailUrl}
      videoUrl={videoUrl}
      hlsUrl={video.hlsUrl}
      lines={linesOf(video)}
      storyboardUrl={video.storyboardUrl}
      durationSeconds={durationSeconds}
      startSeconds={startSeconds ?? 0}
      videoFileExists={video.videoFileExists}
      autoPlay={autoPlay}
      captions={captions}
      loudnessLufs={playback?.loudnessLufs ?? null}
      soundTracks={soundTracks}
      qualities={qualities}
      chapters={chapters}
      marks={marks}
      heat={playback?.heat ?? NO_HEAT}
      next={next}
      onVideo={onVideo}
      onNext={() => {
        if (next) void navigate({ to: '/video/$id', params: { id: String(next.id) } })
      }}
      onFailed={() => void utils.video.get.invalidate({ id })}
      renderError={(videoFileExists) => <PlaybackError videoFileExists={videoFileExists} />}
    />
  )
}

function Badges({ video }: { video: Video }) {
  const isOwnAnonymous = video.isAnonymous && video.channel !== null
  if (video.contentApproved && !isOwnAnonymous) return null
  return (
    <p className={classes.badges}>
      {!video.contentApproved && (
        <span className={classes.badge}>
          {video.rejectionReason === null
            ? 'Pending Approval'
            : `Not public: ${video.rejectionReason}`}
        </span>
      )}
      {isOwnAnonymous && <span className={classes.badge}>Anonymous</span>}
    </p>
  )
}

function AboutSkeleton() {
  return (
    <div className={classes.boneAbout} role="status" aria-label="Loading video">
      <h1 className="visually-hidden">Video</h1>
      <div className={`${classes.boneTitle} ${classes.bone}`} />
      <div className={`${classes.boneRow} ${classes.bone}`} />
      <div className={`${classes.boneBox} ${classes.bone}`} />
    </div>
  )
}
