import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import {
  type PointerEvent,
  type Ref,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Spinner } from '../../components/spinner.tsx'
import { useMediaState } from './media-state.ts'
import { PlaybackError } from './playback-error.tsx'
import { seekTo, setVolume, toggleFullScreen, toggleMute, togglePlay } from './player-actions.ts'
import { PlayerControls } from './player-controls.tsx'
import { useActivity } from './use-activity.ts'
import { usePlayerKeys } from './use-player-keys.ts'
import classes from './video-player.module.css'

export type PlayerHandle = {
  /** Goes to a time and plays from there, with the player in view. */
  playFrom: (seconds: number) => void
}

type VideoPlayerProps = {
  ref?: Ref<PlayerHandle>
  videoUrl: string
  posterUrl: string | null
  title: string
  durationSeconds: number
  /** False when the server knows that the file is gone. */
  videoFileExists: boolean
  /** Plays at once, where the browser allows it. */
  autoPlay: boolean
}

/** A video with the site's own controls. Give it a `key` per video: it starts anew for each. */
export function VideoPlayer(props: VideoPlayerProps) {
  const rootRef = useRef<HTMLDivElement>(null)
  const videoRef = useRef<HTMLVideoElement>(null)
  const { media, events } = useMediaState(props.durationSeconds)
  const { isActive, touch, rest } = useActivity()
  const isFullScreen = useSyncExternalStore(subscribeToFullScreen, hasFullScreen)
  const [wantsPlay] = useState(props.autoPlay)
  usePlayerKeys(rootRef, videoRef)
  useImperativeHandle(props.ref, () => ({
    playFrom(seconds) {
      const video = videoRef.current
      if (!video) return
      rootRef.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
      seekTo(video, seconds)
      if (video.paused) togglePlay(video)
    },
  }))

  const withVideo = (act: (video: HTMLVideoElement) => void) => () => {
    if (videoRef.current) act(videoRef.current)
  }
  const switchFullScreen = withVideo((video) => {
    if (rootRef.current) toggleFullScreen(rootRef.current, video)
  })
  const areControlsShown = isActive || media.isPaused
  const wasTouched = useRef(false)
  /** A finger calls the controls or sends them away; a mouse plays and pauses. */
  const press = (event: PointerEvent<HTMLVideoElement>) => {
    wasTouched.current = event.pointerType === 'touch'
    if (!wasTouched.current) {
      if (event.button === 0) togglePlay(event.currentTarget)
    } else if (areControlsShown) rest()
    else touch()
  }

  if (media.hasFailed || !props.videoFileExists) {
    return <PlaybackError videoFileExists={props.videoFileExists} />
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    <div
      ref={rootRef}
      className={classes.player}
      role="group"
      aria-label="Video player"
      data-idle={!areControlsShown || undefined}
      onPointerMove={(event) => event.pointerType !== 'touch' && touch()}
      onKeyDown={touch}
    >
      <video
        ref={videoRef}
        className={classes.video}
        src={props.videoUrl}
        poster={props.posterUrl ?? undefined}
        aria-label={props.title}
        preload="metadata"
        playsInline
        autoPlay={wantsPlay}
        onPointerUp={press}
        onDoubleClick={() => wasTouched.current || switchFullScreen()}
        {...events}
      />
      {media.isWaiting && (
        <div className={classes.center}>
          <Spinner size={56} label="Loading the video" />
        </div>
      )}
      {!media.isWaiting && (
        <button
          type="button"
          className={classes.bigButton}
          data-paused={media.isPaused || undefined}
          aria-hidden="true"
          tabIndex={-1}
          onClick={withVideo(togglePlay)}
        >
          {media.isPaused ? (
            <IconPlayerPlayFilled size={36} />
          ) : (
            <IconPlayerPauseFilled size={36} />
          )}
        </button>
      )}
      <div className={classes.controls}>
        <PlayerControls
          media={media}
          isFullScreen={isFullScreen}
          onTogglePlay={withVideo(togglePlay)}
          onSeek={(seconds) => withVideo((video) => seekTo(video, seconds))()}
          onVolume={(volume) => withVideo((video) => setVolume(video, volume))()}
          onToggleMute={withVideo(toggleMute)}
          onToggleFullScreen={switchFullScreen}
        />
      </div>
    </div>
  )
}

function subscribeToFullScreen(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange)
  return () => document.removeEventListener('fullscreenchange', onChange)
}

const hasFullScreen = () => document.fullscreenElement !== null
