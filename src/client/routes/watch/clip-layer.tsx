import { useMemo } from 'react'
import { trpc } from '../../trpc.ts'
import { useClipProgress } from '../../watch/clip/use-clip-progress.ts'
import { toCaptionTracks } from '../../watch/player/core/caption-tracks.ts'
import type { LayerProps } from '../../watch/player/host/hosted-player.ts'
import { openPlayer } from '../../watch/player/host/use-player-slot.ts'
import { PlaybackError } from '../../watch/player/playback-error.tsx'
import { linesOf, toQualities } from '../../watch/player/source/qualities.ts'
import { listSoundTracks } from '../../watch/player/source/sound-tracks.ts'
import { VideoPlayer } from '../../watch/player/video-player.tsx'

type ClipLayerProps = LayerProps & { shown: { clip?: NonNullable<LayerProps['shown']['clip']> } }

/** The player of a clip: that part of its video, with the video's own renditions, sound and captions. */
export function ClipLayer({ shown, frame }: ClipLayerProps) {
  const { video, clip, startSeconds, autoPlay } = shown
  const utils = trpc.useUtils()
  const { data: playback } = trpc.video.playback.useQuery({ id: video.id })
  const qualities = useMemo(() => toQualities(playback?.renditions ?? []), [playback])
  const soundTracks = useMemo(
    () =>
      playback
        ? listSoundTracks(playback.soundLanguage, playback.soundTracks, playback.soundNames)
        : [],
    [playback],
  )
  const captions = useMemo(() => toCaptionTracks(playback?.captions ?? []), [playback])
  const onVideo = useClipProgress({ id: clip?.id ?? 0, videoId: video.id })
  if (!clip) return null
  const range = { start: clip.startSeconds, end: clip.endSeconds }
  return (
    <VideoPlayer
      ref={openPlayer}
      frameRef={frame}
      videoId={video.id}
      pagePath={`/clip/${clip.id}`}
      title={clip.title}
      channelName={video.channel?.displayName ?? 'Anonymous'}
      posterUrl={clip.pictureUrl ?? video.thumbnailUrl}
      videoUrl={video.videoUrl ?? ''}
      hlsUrl={video.hlsUrl}
      lines={linesOf(video)}
      storyboardUrl={video.storyboardUrl}
      range={range}
      durationSeconds={range.end - range.start}
      startSeconds={startSeconds ?? 0}
      videoFileExists={video.videoFileExists}
      autoPlay={autoPlay}
      captions={captions}
      loudnessLufs={playback?.loudnessLufs ?? null}
      soundTracks={soundTracks}
      qualities={qualities}
      chapters={[]}
      marks={[]}
      heat={[]}
      next={null}
      previous={null}
      onVideo={onVideo}
      onNext={() => undefined}
      onFailed={() => void utils.clip.byId.invalidate({ id: clip.id })}
      renderError={(videoFileExists, retry) => (
        <PlaybackError videoFileExists={videoFileExists} onRetry={retry} />
      )}
    />
  )
}
