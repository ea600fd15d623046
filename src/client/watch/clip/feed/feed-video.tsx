import { type RefCallback, useCallback, useEffect, useRef } from 'react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { rememberedPlayer } from '../../player/core/player-memory.ts'
import { useClipProgress } from '../use-clip-progress.ts'
import classes from './feed-screen.module.css'
import { loadClip } from './play-clip.ts'

type FeedVideoProps = {
  clip: Clip
  /** Fills the screen; others restart. */
  isCurrent: boolean
  isPlaying: boolean
  isMuted: boolean
  /** The browser forbids sound or playback before a gesture. */
  onRefused: (what: 'sound' | 'play') => void
  onBroken: () => void
}

/** Playing or preloaded. */
export function FeedVideo({ clip, isCurrent, isPlaying, ...props }: FeedVideoProps) {
  const { isMuted, onRefused, onBroken } = props
  const element = useRef<HTMLVideoElement>(null)
  const bar = useRef<HTMLSpanElement>(null)
  const track = useClipProgress({ id: clip.id, videoId: clip.video.id })
  const { startSeconds, endSeconds } = clip
  const { hlsUrl, videoUrl } = clip.video
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded again for another range or source alone.
  const attach: RefCallback<HTMLVideoElement> = useCallback(
    (video) => {
      element.current = video
      if (!video) return
      video.volume = rememberedPlayer().volume
      const unload = loadClip(video, clip, onBroken)
      const stop = track(video)
      return () => {
        stop()
        unload()
        element.current = null
      }
    },
    [clip.id, startSeconds, endSeconds, hlsUrl, videoUrl],
  )
  useEffect(() => {
    if (element.current) element.current.muted = isMuted
  }, [isMuted])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as it begins and ends.
  useEffect(() => {
    const video = element.current
    if (!video) return
    if (!isPlaying) {
      video.pause()
      return
    }
    video.muted = isMuted
    video.play().catch((error: unknown) => {
      const isRefused = error instanceof DOMException && error.name === 'NotAllowedError'
      if (isRefused) onRefused(video.muted ? 'play' : 'sound')
    })
  }, [isPlaying])
  useEffect(() => {
    const video = element.current
    // Nothing loaded, nothing to rewind.
    if (!isCurrent && video && video.readyState > 0) video.currentTime = startSeconds
  }, [isCurrent, startSeconds])
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: its page has them. */}
      <video
        ref={attach}
        className={classes.video}
        aria-hidden="true"
        tabIndex={-1}
        preload="auto"
        loop
        playsInline
        disablePictureInPicture
        onTimeUpdate={({ currentTarget }) => {
          const part = (currentTarget.currentTime - startSeconds) / (endSeconds - startSeconds)
          if (bar.current) bar.current.style.scale = `${Math.min(1, Math.max(0, part))} 1`
        }}
      />
      <span ref={bar} className={classes.bar} />
    </>
  )
}
