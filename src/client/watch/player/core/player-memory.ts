import { deviceStorage, parseObject } from '#client/platform/browser-storage.ts'
import { createStore } from '#client/platform/store.ts'

/** Kept between videos and visits. */
export type PlayerMemory = {
  /** 0 to 1. */
  volume: number
  isMuted: boolean
  /** Pixels of height. */
  quality: number | 'auto'
  /** Language, or null when off. */
  captions: string | null
  /** Language to restore when captions are turned on. */
  captionsBefore: string | null
  isTheatre: boolean
  /** Autoplay on opening. */
  startsItself: boolean
  /** Continues with the next video. */
  continues: boolean
  levelsLoudness: boolean
  /** Applies to floating reactions, marks and the buttons. */
  showsReactions: boolean
  /** Continues in a corner when its page is left. */
  hasMiniPlayer: boolean
  miniCorner: MiniCorner
  /** Bits per second; null before any measurement. */
  bandwidth: number | null
  /** Only while the page is open. */
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
  showsReactions: true,
  hasMiniPlayer: true,
  // Toasts and uploads are on the other side.
  miniCorner: 'bottom-left',
  bandwidth: null,
  rate: 1,
}

const memory = createStore<PlayerMemory>(readMemory(deviceStorage.read(KEY)))

/** Ignores invalid values. */
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
    ...(isLike('showsReactions') && { showsReactions: stored.showsReactions === true }),
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
  deviceStorage.write(KEY, JSON.stringify(lasting))
}
