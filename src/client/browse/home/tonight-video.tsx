import { UnstyledButton } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import type { Tonight } from '#shared/schemas/home.schemas.ts'
import classes from './tonight-video.module.css'

const KEY = 'clutch-still-home'
/** Less of it is not being looked at. */
const SEEN_PART = 0.5

/** Muted, over its poster, while it is in sight. Pausing it lasts on this device. */
export default function TonightVideo({ file }: { file: NonNullable<Tonight['file']> }) {
  const [isWanted, setWanted] = useState(() => deviceStorage.read(KEY) !== 'yes')
  const [isShown, setShown] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const isSeen = useRef(false)
  const element = useRef<HTMLVideoElement>(null)
  const { url, startSeconds, endSeconds } = file
  const follow = useCallback(() => {
    const video = element.current
    if (!video) return
    const plays = isSeen.current && document.visibilityState === 'visible'
    if (!plays || deviceStorage.read(KEY) === 'yes') {
      video.pause()
      return
    }
    if (!video.src) video.src = `${url}#t=${startSeconds}`
    video.muted = true
    video.play().catch(() => {})
  }, [url, startSeconds])
  const attach: RefCallback<HTMLVideoElement> = useCallback(
    (video) => {
      element.current = video
      if (!video) return
      const observer = new IntersectionObserver(
        ([entry]) => {
          isSeen.current = (entry?.intersectionRatio ?? 0) >= SEEN_PART
          follow()
        },
        { threshold: [0, SEEN_PART] },
      )
      observer.observe(video)
      return () => {
        observer.disconnect()
        video.removeAttribute('src')
        video.load()
        element.current = null
      }
    },
    [follow],
  )
  useEffect(() => {
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [follow])
  if (isBroken) return null
  const toggle = () => {
    deviceStorage.write(KEY, isWanted ? 'yes' : '')
    setWanted(!isWanted)
    follow()
  }
  const Icon = isWanted ? IconPlayerPauseFilled : IconPlayerPlayFilled
  return (
    <>
      <video
        ref={attach}
        className={classes.video}
        data-shown={(isShown && isWanted) || undefined}
        aria-hidden="true"
        tabIndex={-1}
        preload="none"
        muted
        playsInline
        disablePictureInPicture
        disableRemotePlayback
        onPlaying={() => setShown(true)}
        onError={({ currentTarget }) => currentTarget.src && setBroken(true)}
        onTimeUpdate={({ currentTarget }) => {
          if (currentTarget.currentTime >= endSeconds) currentTarget.currentTime = startSeconds
        }}
        onEnded={({ currentTarget }) => {
          currentTarget.currentTime = startSeconds
          follow()
        }}
      />
      <UnstyledButton
        className={`${look('centred', 'scrim', 'pill')} ${classes.toggle}`}
        aria-label={isWanted ? 'Pause the preview' : 'Play the preview'}
        onClick={toggle}
      >
        <Icon size={18} aria-hidden />
      </UnstyledButton>
    </>
  )
}
