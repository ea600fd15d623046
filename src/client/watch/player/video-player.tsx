import {
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useState,
} from 'react'
import { connection } from '#client/platform/connection.ts'
import { createPlayer, type Player } from './core/player.ts'
import type { PlayerOptions, PlayerSurroundings } from './core/player-state.ts'
import { PlayerContext, usePlayer, usePlayerState } from './player-context.ts'
import { PlayerStage } from './player-stage.tsx'

export type PlayerHandle = {
  /** Scrolls to the player. */
  playFrom: (seconds: number) => void
  /** In seconds. */
  time: () => number
  isPlaying: () => boolean
  player: Player
}

type VideoPlayerProps = PlayerOptions &
  PlayerSurroundings & {
    ref?: Ref<PlayerHandle>
    /** WebVTT. */
    storyboardUrl: string | null
    /** False for a missing file. */
    videoFileExists: boolean
    /** The full screen element, which outlives this video. */
    frameRef: RefObject<HTMLElement | null>
    /** @returns called on removal */
    onVideo: (video: HTMLVideoElement) => () => void
    onNext: () => void
    onPrevious?: () => void
    onClip?: (() => void) | undefined
    /** Playback failed for good. */
    onFailed: () => void
    /** In the player's place. */
    renderError: (videoFileExists: boolean, retry: () => void) => ReactNode
    /** Is shown over the picture once that has loaded and the browser is idle. */
    overlay?: ReactNode
    /** Further controls. */
    children?: ReactNode
  }

/**
 * Needs a `key` per video: sources are fixed on mount, so that files made meanwhile do not
 * interrupt playback.
 */
export function VideoPlayer(props: VideoPlayerProps) {
  const {
    frameRef,
    chapters,
    marks,
    heat,
    moments,
    onMark,
    next,
    previous,
    soundTracks,
    soundMix,
    captions,
    qualities,
    loudnessLufs,
    onVideo,
  } = props
  const surroundings = {
    chapters,
    marks,
    heat,
    moments,
    onMark,
    next,
    previous,
    soundTracks,
    soundMix,
    captions,
    qualities,
    loudnessLufs,
  }
  const [player] = useState(() => createPlayer(props, props))
  player.core.onNext = props.onNext
  player.core.onPrevious = props.onPrevious
  player.core.onClip = props.onClip
  player.core.onFailed = props.onFailed
  useImperativeHandle(props.ref, () => ({
    playFrom(seconds) {
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
      frameRef.current?.scrollIntoView({
        block: 'nearest',
        behavior: isCalm ? 'instant' : 'smooth',
      })
      player.seek(seconds)
      player.play()
    },
    time: () => player.get().time,
    isPlaying: () => !player.get().isPaused,
    player,
  }))
  useEffect(
    () =>
      player.surround({
        chapters,
        marks,
        heat,
        moments,
        onMark,
        next,
        previous,
        soundTracks,
        soundMix,
        captions,
        qualities,
        loudnessLufs,
      }),
    [
      player,
      chapters,
      marks,
      heat,
      moments,
      onMark,
      next,
      previous,
      soundTracks,
      soundMix,
      captions,
      qualities,
      loudnessLufs,
    ],
  )
  useEffect(() => {
    player.core.frame = frameRef.current ?? undefined
    const { video } = player.core
    return video && onVideo(video)
  }, [player, frameRef, onVideo])
  return (
    <PlayerContext value={player}>
      <StageOrError
        videoFileExists={props.videoFileExists}
        storyboardUrl={props.storyboardUrl}
        renderError={props.renderError}
        overlay={props.overlay}
        {...surroundings}
      />
      {props.children}
    </PlayerContext>
  )
}

type StageOrErrorProps = PlayerSurroundings &
  Pick<VideoPlayerProps, 'videoFileExists' | 'storyboardUrl' | 'renderError' | 'overlay'>

function StageOrError({ videoFileExists, renderError, ...stage }: StageOrErrorProps) {
  const { retry } = usePlayer()
  const hasFailed = usePlayerState((state) => state.hasFailed)
  useEffect(
    () => (hasFailed && videoFileExists ? connection.onBack(retry) : undefined),
    [hasFailed, videoFileExists, retry],
  )
  if (hasFailed || !videoFileExists) return renderError(videoFileExists, retry)
  return <PlayerStage {...stage} />
}
