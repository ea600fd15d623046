import type { Store } from '#client/platform/store.ts'
import type { Source } from '../source/source.ts'
import type { Feedback, PlayerOptions, PlayerState, PlayerSurroundings } from './player-state.ts'

/** What the parts of a player share. */
export type PlayerCore = {
  store: Store<PlayerState>
  options: PlayerOptions
  surroundings: PlayerSurroundings
  /** What plays, for the player's whole life. */
  element: HTMLVideoElement
  /** The element, while it is in the page. */
  video: HTMLVideoElement | undefined
  /** What fills the screen in full screen: the player with its controls. */
  frame: HTMLElement | undefined
  source: Source | undefined
  /** The renditions did not play here. */
  hasStreamFailed: boolean
  /** Goes over to a quality, whatever it takes. */
  openQuality: ((quality: number | 'auto') => void) | undefined
  /** Goes over to a sound track, whatever it takes. */
  openSoundTrack: ((index: number) => void) | undefined
  /** Length of a frame, measured while playing. */
  frameSeconds: number
  onFailed: (() => void) | undefined
  onNext: (() => void) | undefined
  onPrevious: (() => void) | undefined
  /** Makes a clip of what was seen last, where clips can be made. */
  onClip: (() => void) | undefined
  flash: (icon: Feedback['icon'], text: string) => void
}
