import { useLocation, useNavigate } from '@tanstack/react-router'
import { type RefObject, useMemo, useState } from 'react'
import { useSession } from '../../account/auth/use-session.ts'
import { trpc } from '../../trpc.ts'
import { toCaptionTracks } from '../../watch/player/core/caption-tracks.ts'
import { parseChapters } from '../../watch/player/core/chapters.ts'
import { findCommentMarks } from '../../watch/player/core/comment-marks.ts'
import { startSecondsOf } from '../../watch/player/core/time-address.ts'
import { PlaybackError, VideoUnavailable } from '../../watch/player/playback-error.tsx'
import { ProcessingPanel } from '../../watch/player/processing-panel.tsx'
import { linesOf, toQualities } from '../../watch/player/source/qualities.ts'
import { listSoundTracks } from '../../watch/player/source/sound-tracks.ts'
import { useNextVideo } from '../../watch/player/use-next-video.ts'
import { VideoPlayer } from '../../watch/player/video-player.tsx'
import { useWatchProgress } from '../../watch/progress/use-watch-progress.ts'
import { commentsOf, type WatchPart } from './watch-part.ts'

const NO_HEAT: readonly number[] = []

type ScreenProps = WatchPart & { frame: RefObject<HTMLDivElement | null> }

/** The player, or what stands in its place. */
export function WatchScreen({ video, ...rest }: ScreenProps) {
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
    () =>
      playback
        ? listSoundTracks(playback.soundLanguage, playback.soundTracks, playback.soundNames)
        : [],
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
      renderError={(videoFileExists, retry) => (
        <PlaybackError videoFileExists={videoFileExists} onRetry={retry} />
      )}
    />
  )
}
