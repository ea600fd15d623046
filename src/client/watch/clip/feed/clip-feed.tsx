import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { useVerticalSwipe } from '#client/kit/dialog/use-vertical-swipe.ts'
import { column } from '#client/kit/layout/layout.ts'
import { Mark } from '#client/kit/mark.tsx'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import { fillWhenTurned } from '#client/platform/fill-when-turned.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import classes from './clip-feed.module.css'
import { CommentsBeside } from './comments-beside.tsx'
import { FeedScreen } from './feed-screen.tsx'
import { useManners, usePageSeen } from './manners.ts'
import { useCrop } from './use-crop.ts'
import { useFeedKeys } from './use-feed-keys.ts'

/** Clips loaded after the current one, to play at once. */
const LOADED_AHEAD = 2
/** Clips kept before it. */
const LOADED_BEHIND = 1
/** Farther ones are not rendered. */
const DRAWN = 3
/** Is stored after the first swipe on this device, which needs no hint any more. */
const SWIPED_KEY = 'clutch-feed-swiped'
/** Loads the next page. */
const FEW_LEFT = 5
/** Narrower windows have no room for the comments beside the clip. */
const WIDE = '(min-width: 1024px)'

type ClipFeedProps = {
  clips: readonly Clip[]
  /** Initial clip, if listed. */
  startId: number | undefined
  isSignedIn: boolean
  isComplete: boolean
  onNearEnd: () => void
  onClip: (id: number) => void
  onClose: () => void
  renderComments: (
    clip: Clip,
    options: { isBeside: boolean; onSeek: (seconds: number) => void; onClose: () => void },
  ) => ReactNode
}

/**
 * Shows one clip per screen and plays the visible one. On touch screens the clips are side by side:
 * a swipe down closes the feed, and a swipe up opens the comments. The comments open beside the
 * clip in wide windows and in a sheet over it elsewhere.
 */
export function ClipFeed({ clips, startId, isSignedIn, isComplete, ...on }: ClipFeedProps) {
  const root = useRef<HTMLDivElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isSideways = !useHasKeys()
  const [index, setIndex] = useState(() =>
    Math.max(
      0,
      clips.findIndex(({ id }) => id === startId),
    ),
  )
  const [isNewHere, setNewHere] = useState(() => deviceStorage.read(SWIPED_KEY) === null)
  const [isMuted, setMuted] = useState(true)
  const { isCalm, isSparing } = useManners()
  const waits = isCalm || isSparing
  /** Paused or started by the viewer. */
  const [pressed, setPressed] = useState<{ id: number; plays: boolean }>()
  const isSeen = usePageSeen()
  const current = clips[index]
  const wants = pressed && pressed.id === current?.id ? pressed.plays : !waits
  const { onNearEnd, onClip, onClose, renderComments } = on
  const crop = useCrop(current)
  const [isTalking, setTalking] = useState(false)
  const isWide = useMediaQuery(WIDE, false, { getInitialValueInEffect: false })
  const isBeside = !isSideways && isWide === true
  const talksBeside = isTalking && isBeside && current !== undefined
  const toggleComments = () => setTalking(!isTalking)
  const closeComments = () => {
    setTalking(false)
    if (isBeside) root.current?.querySelector<HTMLElement>('[data-current] [data-talks]')?.focus()
  }
  const swipe = useVerticalSwipe({ moved: root, onDown: onClose, onUp: toggleComments })
  const last = isComplete ? clips.length : clips.length - 1

  // biome-ignore lint/correctness/useExhaustiveDependencies: the first position only.
  useLayoutEffect(() => {
    const list = scroller.current
    if (list) list.scrollTo({ ...placeOf(list, index), behavior: 'instant' })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for another clip or a longer list.
  useEffect(() => {
    if (current) onClip(current.id)
    if (!isComplete && index >= clips.length - FEW_LEFT) onNearEnd()
  }, [current?.id, clips.length, isComplete])

  useEffect(
    () => fillWhenTurned({ mayFill: () => true, frame: () => document.documentElement }),
    [],
  )

  const placeOf = ({ clientWidth, clientHeight }: Element, to: number) =>
    isSideways ? { left: to * clientWidth } : { top: to * clientHeight }
  const go = (to: number) => {
    const list = scroller.current
    if (!list) return
    const place = placeOf(list, Math.min(last, Math.max(0, to)))
    list.scrollTo({ ...place, behavior: isCalm ? 'instant' : 'smooth' })
  }
  const press = () => {
    if (!current) return
    if (wants && (isMuted || crop.isCurrentCropped)) {
      setMuted(false)
      crop.showWhole()
    } else {
      setPressed({ id: current.id, plays: !wants })
      // A press is a gesture that allows sound.
      if (!wants) setMuted(false)
    }
  }
  useFeedKeys({
    onStep: (step) => go(index + step),
    onPress: press,
    onMute: () => setMuted(!isMuted),
    onClose: talksBeside ? closeComments : onClose,
  })
  const renderTalk = () =>
    current &&
    renderComments(current, {
      isBeside,
      onSeek: (seconds) => {
        const video = scroller.current?.querySelector<HTMLVideoElement>('[data-current] video')
        if (video) video.currentTime = current.startSeconds + seconds
        if (!isBeside) setTalking(false)
      },
      onClose: closeComments,
    })
  return (
    <div
      ref={root}
      className={classes.root}
      data-sideways={isSideways || undefined}
      data-beside={talksBeside || undefined}
    >
      <div
        ref={scroller}
        className={classes.scroller}
        {...(isSideways && swipe)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys.
        tabIndex={0}
        role="feed"
        aria-label="Clips"
        onScroll={({ currentTarget: list }) => {
          const shown = Math.round(
            isSideways ? list.scrollLeft / list.clientWidth : list.scrollTop / list.clientHeight,
          )
          if (isNewHere && isSideways && shown !== index) {
            deviceStorage.write(SWIPED_KEY, 'yes')
            setNewHere(false)
          }
          setIndex(shown)
        }}
      >
        {clips.map((clip, at) => {
          const distance = at - index
          const isCurrent = distance === 0
          const isNear = distance <= LOADED_AHEAD && distance >= -LOADED_BEHIND
          return Math.abs(distance) > DRAWN ? (
            <div key={clip.id} className={classes.place} />
          ) : (
            <div key={clip.id} className={classes.place}>
              <FeedScreen
                {...{ clip, isCurrent, isMuted, isSignedIn }}
                isCropped={crop.isCropped(clip)}
                saysHowToMove={isNewHere && isSideways && at < last}
                isPlaying={isCurrent && wants && isSeen}
                comments={{ isOpen: isCurrent && isTalking, isBeside, onToggle: toggleComments }}
                isLoaded={isSparing ? isCurrent && wants : isNear}
                hasPicture={isCurrent || !isSparing}
                onPress={press}
                onRefused={(what) => {
                  if (what === 'sound') setMuted(true)
                  else if (current) setPressed({ id: current.id, plays: false })
                }}
              />
            </div>
          )
        })}
        {isComplete && (
          <div className={classes.place}>
            <article
              className={column(12, 'middle', 'centre', 'fullHeight', 'muted')}
              aria-label="The end"
            >
              <Mark size={72} />
              <p>You have seen every clip.</p>
              <Button variant="default" onClick={() => go(0)}>
                Back to the first
              </Button>
              <LinkButton to="/explore" variant="subtle">
                Explore videos
              </LinkButton>
            </article>
          </div>
        )}
      </div>
      <IconButton
        variant="default"
        radius="xl"
        size="xl"
        className={classes.close}
        aria-label="Close the clips"
        onClick={onClose}
      >
        <IconX size={24} stroke={1.75} aria-hidden />
      </IconButton>
      <div className={`${column(12)} ${classes.steps}`}>
        <IconButton
          variant="default"
          radius="xl"
          size="xl"
          aria-label="Previous clip"
          disabled={index === 0}
          onClick={() => go(index - 1)}
        >
          <IconChevronUp size={24} stroke={1.75} aria-hidden />
        </IconButton>
        <IconButton
          variant="default"
          radius="xl"
          size="xl"
          aria-label="Next clip"
          disabled={index >= last}
          onClick={() => go(index + 1)}
        >
          <IconChevronDown size={24} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      {talksBeside && (
        <CommentsBeside title={current.title} onClose={closeComments}>
          {renderTalk()}
        </CommentsBeside>
      )}
      {isTalking && !isBeside && renderTalk()}
    </div>
  )
}
