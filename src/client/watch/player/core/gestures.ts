/** Time within which taps belong together. */
export const TAP_PAUSE_MS = 300
const SIDE_SHARE = 0.36
const SKIP_SECONDS = 10
const SWIPE_START_PX = 14
const DISMISS_SHARE = 0.22
/** Range of a swipe over the whole width. */
const SWIPE_SECONDS = 90

type Tap = { timeMs: number; x: number; width: number }
type TapMeaning =
  /** On a side it may be the first of a double tap. */
  | { kind: 'single'; isOnSide: boolean }
  /** `seconds` is the sum of all taps; each moves ten. */
  | { kind: 'skip'; step: number; seconds: number }

/** Recognizes double taps on a side; further taps there add up. */
export function createTapReader() {
  let last: (Tap & { zone: number }) | undefined
  let sum = 0
  return (tap: Tap): TapMeaning => {
    const zone = zoneOf(tap)
    const follows = last && tap.timeMs - last.timeMs <= TAP_PAUSE_MS && last.zone === zone
    last = { ...tap, zone }
    if (!follows || zone === 0) {
      sum = 0
      return { kind: 'single', isOnSide: zone !== 0 }
    }
    sum += SKIP_SECONDS
    return { kind: 'skip', step: zone * SKIP_SECONDS, seconds: zone * sum }
  }
}

function zoneOf({ x, width }: Tap): -1 | 0 | 1 {
  if (x < width * SIDE_SHARE) return -1
  return x > width * (1 - SIDE_SHARE) ? 1 : 0
}

type Swipe = { fromX: number; dx: number; dy: number; width: number; isFullScreen: boolean }

/** Undefined until the finger has moved enough. */
export function swipeMeaning(swipe: Swipe): 'seek' | 'volume' | 'dismiss' | 'nothing' | undefined {
  const { dx, dy, fromX, width, isFullScreen } = swipe
  if (Math.hypot(dx, dy) < SWIPE_START_PX) return undefined
  if (Math.abs(dx) > Math.abs(dy)) return 'seek'
  // Outside full screen a vertical swipe scrolls the page.
  if (!isFullScreen) return 'nothing'
  if (fromX > width * (1 - SIDE_SHARE)) return 'volume'
  return dy > 0 ? 'dismiss' : 'nothing'
}

/** Short videos move less. */
export function swipeSeconds(dx: number, width: number, durationSeconds: number): number {
  return (dx / width) * Math.min(SWIPE_SECONDS, durationSeconds)
}

export function isDismissed(dy: number, height: number): boolean {
  return dy > height * DISMISS_SHARE
}
