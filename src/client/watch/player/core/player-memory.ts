import { createStore } from '#client/platform/store.ts'

/** What the player keeps from one video to the next, and from one visit to the next. */
export type PlayerMemory = {
  /** 0 to 1. */
  volume: number
  isMuted: boolean
  /** A height in pixels. */
  quality: number | 'auto'
  /** The language of the captions, or null without them. */
  captions: string | null
  /** The language that was shown last, for when captions are wanted again. */
  captionsBefore: string | null
  isTheatre: boolean
  /** Plays when its address is opened. */
  startsItself: boolean
  /** Goes on with the next video by itself. */
  continues: boolean
  levelsLoudness: boolean
  /** Plays on in a corner when its page is left. */
  hasMiniPlayer: boolean
  miniCorner: MiniCorner
  /** Bits per second, as last measured; null before. */
  bandwidth: number | null
  /** Only for as long as the page is open. */
  rate: number
}

const MINI_CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const
export type MiniCorner = (typeof MINI_CORNERS)[number]

const KEY = 'clutch-player'
const NEW: PlayerMemory = {
  volume: 1,
  isMuted: false,
  quality: 'auto',
  captions: null,
  captionsBefore: null,
  isTheatre: false,
  startsItself: true,
  continues: true,
  levelsLoudness: true,
  hasMiniPlayer: true,
  // Messages and uploads have the other side.
  miniCorner: 'bottom-left',
  bandwidth: null,
  rate: 1,
}

const memory = createStore<PlayerMemory>(readMemory(storedText()))

/** What is remembered in `text`; anything that does not fit is as if never said. */
export function readMemory(text: string | null): PlayerMemory {
  const stored = parseObject(text)
  const isLike = (key: keyof PlayerMemory) => typeof stored[key] === typeof NEW[key]
  const miniCorner = MINI_CORNERS.find((corner) => corner === stored.miniCorner)
  const share = Number(stored.volume)
  return {
    ...NEW,
    ...(isLike('volume') && share >= 0 && share <= 1 && { volume: share }),
    ...(isLike('isMuted') && { isMuted: stored.isMuted === true }),
    ...(typeof stored.quality === 'number' && { quality: stored.quality }),
    ...(typeof stored.captions === 'string' && { captions: stored.captions }),
    ...(typeof stored.captionsBefore === 'string' && { captionsBefore: stored.captionsBefore }),
    ...(isLike('isTheatre') && { isTheatre: stored.isTheatre === true }),
    ...(isLike('startsItself') && { startsItself: stored.startsItself === true }),
    ...(isLike('continues') && { continues: stored.continues === true }),
    ...(isLike('levelsLoudness') && { levelsLoudness: stored.levelsLoudness === true }),
    ...(isLike('hasMiniPlayer') && { hasMiniPlayer: stored.hasMiniPlayer === true }),
    ...(miniCorner && { miniCorner }),
    ...(typeof stored.bandwidth === 'number' && { bandwidth: stored.bandwidth }),
  }
}

export const rememberedPlayer = memory.get
export const subscribeToPlayerMemory = memory.subscribe

export function rememberPlayer(change: Partial<PlayerMemory>): void {
  memory.set(change)
  const { rate, ...lasting } = memory.get()
  try {
    localStorage.setItem(KEY, JSON.stringify(lasting))
  } catch {
    // Without storage it lasts as long as the page.
  }
}

function storedText(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
