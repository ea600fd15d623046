import { type PointerEvent, type TouchEvent, useEffect, useRef, useState } from 'react'
import { formatDuration } from '#shared/text/format.ts'
import {
  createTapReader,
  isDismissed,
  swipeMeaning,
  swipeSeconds,
  TAP_PAUSE_MS,
} from './core/gestures.ts'
import type { Player } from './core/player.ts'

const HOLD_MS = 500

type Touch = {
  x: number
  y: number
  /** At the start of the touch. */
  time: number
  volume: number
  meaning: ReturnType<typeof swipeMeaning>
  /** Target in seconds, before it is rendered. */
  seekTo?: number
  holds: boolean
}

type SurfaceOptions = {
  player: Player
  areControlsShown: boolean
  onShow: () => void
  onHide: () => void
  /** Long press on the paused picture. */
  onLongPress: (place: { x: number; y: number }) => void
  /** A seek swipe begins. */
  onApproach: () => void
}

/**
 * Mouse: click plays or pauses, hold plays at 2×. Touch: tap shows controls, then plays or pauses;
 * double tap on a side skips; swipes seek, change volume and leave full screen.
 */
export function useSurface(options: SurfaceOptions) {
  const { player, onShow, onHide, onLongPress, onApproach } = options
  const [swipedTo, setSwipedTo] = useState<number | null>(null)
  const touch = useRef<Touch>(undefined)
  const holdTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tapTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [readTap] = useState(createTapReader)
  /** Touch has its own double tap. */
  const wasTouched = useRef(false)
  useEffect(() => () => clearTimeout(tapTimer.current), [])

  const hold = (event: PointerEvent<HTMLElement>) => {
    const isTouch = event.pointerType === 'touch'
    const { left, top } = event.currentTarget.getBoundingClientRect()
    const place = { x: event.clientX - left, y: event.clientY - top }
    clearTimeout(holdTimer.current)
    holdTimer.current = setTimeout(() => {
      if (touch.current?.meaning) return
      if (touch.current) touch.current.holds = true
      if (!player.get().isPaused) player.startHurrying()
      else if (isTouch) onLongPress(place)
    }, HOLD_MS)
  }
  const down = (event: PointerEvent<HTMLElement>) => {
    wasTouched.current = event.pointerType === 'touch'
    if (event.button !== 0 || !event.isPrimary) return
    if (wasTouched.current) {
      const { time, volume, isMuted } = player.get()
      const { clientX: x, clientY: y } = event
      const start = { x, y, time, volume: isMuted ? 0 : volume }
      touch.current = { ...start, meaning: undefined, holds: false }
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    hold(event)
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    const begun = touch.current
    if (!begun || event.pointerType !== 'touch' || begun.holds) return
    const { left, width, height } = event.currentTarget.getBoundingClientRect()
    const [dx, dy] = [event.clientX - begun.x, event.clientY - begun.y]
    const { duration, isFullScreen } = player.get()
    begun.meaning ??= swipeMeaning({ dx, dy, width, isFullScreen, fromX: begun.x - left })
    if (begun.meaning) clearTimeout(holdTimer.current)
    if (begun.meaning === 'seek') {
      if (begun.seekTo === undefined) onApproach()
      const seconds = begun.time + swipeSeconds(dx, width, duration)
      begun.seekTo = Math.min(Math.max(0, seconds), duration)
      setSwipedTo(begun.seekTo)
    } else if (begun.meaning === 'volume') {
      player.setVolume(begun.volume - dy / (height * 0.6))
      player.core.flash('volume', `${Math.round(player.get().volume * 100)}%`)
    }
  }
  const tap = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const meaning = readTap({ timeMs: event.timeStamp, x: event.clientX - left, width })
    clearTimeout(tapTimer.current)
    if (meaning.kind === 'skip') {
      player.skip(meaning.step, meaning.seconds)
      onHide()
      return
    }
    onShow()
    if (!options.areControlsShown) return
    if (meaning.isOnSide) tapTimer.current = setTimeout(player.togglePlay, TAP_PAUSE_MS)
    else player.togglePlay()
  }
  const up = (event: PointerEvent<HTMLElement>) => {
    clearTimeout(holdTimer.current)
    const { isHurrying } = player.get()
    player.stopHurrying()
    const begun = touch.current
    touch.current = undefined
    if (event.pointerType !== 'touch') {
      if (event.type === 'pointerup' && event.button === 0 && !isHurrying) player.togglePlay()
      return
    }
    if (!begun) return
    const isCancelled = event.type === 'pointercancel'
    if (begun.meaning === 'seek') {
      if (begun.seekTo !== undefined && !isCancelled) {
        player.seek(begun.seekTo)
        player.core.flash('none', formatDuration(begun.seekTo))
      }
      setSwipedTo(null)
    } else if (begun.meaning === 'dismiss') {
      const { height } = event.currentTarget.getBoundingClientRect()
      if (isDismissed(event.clientY - begun.y, height)) player.toggleFullScreen()
    } else if (!begun.meaning && !begun.holds && !isCancelled) tap(event)
  }
  return {
    swipedTo,
    wasTouched: () => wasTouched.current,
    handlers: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: up,
      // Prevents a click on a button that the tap reveals.
      onTouchEnd: (event: TouchEvent) => event.cancelable && event.preventDefault(),
      onPointerLeave: (event: PointerEvent<HTMLElement>) => {
        if (event.pointerType === 'touch') return
        clearTimeout(holdTimer.current)
        player.stopHurrying()
      },
      onDoubleClick: () => {
        if (!wasTouched.current) player.toggleFullScreen()
      },
    },
  }
}
