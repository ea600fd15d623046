import { UnstyledButton } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import { isSparing } from '#client/platform/data-saving.ts'
import { PHONE_SCREEN } from '#client/platform/phone-screen.ts'
import type { Tonight } from '#shared/schemas/home.schemas.ts'
import classes from './tonight-video.module.css'

const KEY = 'clutch-still-home'
/** The video plays while at least this fraction of it is visible. */
const SEEN_PART = 0.5
/** For what the viewer has not asked for. The server has the limit of other screens. */
const PHONE_BYTES_MAX = 3_000_000

type TonightVideoProps = {
  file: NonNullable<Tonight['file']>
  /** Shown whole instead of cropped, as its poster. */
  isWhole: boolean
}

/**
 * Renders nothing if the viewer prefers reduced motion, saves data or has a slow connection, or if
 * the file is too large for a phone.
 */
export default function TonightVideo(props: TonightVideoProps) {
  const isCalm = useReducedMotion(false, { getInitialValueInEffect: false })
  const [isSaving] = useState(isSparing)
  const [isPhone] = useState(() => matchMedia(PHONE_SCREEN).matches)
  const isTooLarge = isPhone && props.file.bytes > PHONE_BYTES_MAX
  return isCalm || isSaving || isTooLarge ? null : <MutedVideo {...props} />
}

/** Plays over the poster while it is visible. A pause is remembered on this device. */
function MutedVideo({ file, isWhole }: TonightVideoProps) {
  const [isWanted, setWanted] = useState(() => deviceStorage.read(KEY) !== 'yes')
  // `follow` reads it, also where the browser forbids storage.
  const wish = useRef(isWanted)
  const [isShown, setShown] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const isSeen = useRef(false)
  const element = useRef<HTMLVideoElement>(null)
  const { url, startSeconds, endSeconds } = file
  const follow = useCallback(() => {
    const video = element.current
    if (!video) return
    const plays = isSeen.current && document.visibilityState === 'visible'
    if (!plays || !wish.current) {
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
    wish.current = !isWanted
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
        data-whole={isWhole || undefined}
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
