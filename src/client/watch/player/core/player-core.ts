import type { ReactNode } from 'react'
import type { Store } from '#client/platform/store.ts'
import type { SoundMix } from '#shared/sound-mix.ts'
import type { Source } from '../source/source.ts'
import type { Feedback, PlayerOptions, PlayerState, PlayerSurroundings } from './player-state.ts'

/** The commands that a watch room shares. */
export type Steering = {
  play: () => void
  pause: () => void
  /** @param seconds within the video or clip */
  seek: (seconds: number) => void
  setRate: (rate: number) => void
}

/** May play a mix of its own in place of the element's sound. */
type PlayingMixer = {
  isHeard: () => boolean
  /** 0 to 1. */
  setVolume: (volume: number) => void
  /** After a change of everyone's mix or of the tracks. */
  refresh: () => void
  close: () => void
}

/** Shared by the parts of a player. */
export type PlayerCore = {
  store: Store<PlayerState>
  options: PlayerOptions
  surroundings: PlayerSurroundings
  /** Exists for the player's whole life. */
  element: HTMLVideoElement
  /** `element` while in the page. */
  video: HTMLVideoElement | undefined
  /** The full screen element: player with controls. */
  frame: HTMLElement | undefined
  source: Source | undefined
  /** The stream does not play in this browser. */
  hasStreamFailed: boolean
  /** Switches sources if needed. */
  openQuality: ((quality: number | 'auto') => void) | undefined
  /** Switches sources if needed. */
  openSoundTrack: ((index: number) => void) | undefined
  /** Set until a source is open: the qualities decide which. */
  onQualities: (() => void) | undefined
  /** Measured while playing. */
  frameSeconds: number
  onFailed: (() => void) | undefined
  onNext: (() => void) | undefined
  onPrevious: (() => void) | undefined
  /** Set where clips can be made. */
  onClip: (() => void) | undefined
  /** Takes the viewer's commands in place of the element. Set in a watch room. */
  steer: Steering | undefined
  /** Is true while the page shows reactions. */
  hasReactions: boolean
  /** Shows the item that takes the viewer's reactions back. Set while the viewer can react. */
  renderTakeBack: ((onClose: () => void) => ReactNode) | undefined
  /** Shows a button that makes a mix that of everyone. Set for who may edit the video. */
  renderSaveMix: ((mix: SoundMix) => ReactNode) | undefined
  /** Set once the viewer has used it. */
  mixer: PlayingMixer | undefined
  /** Set while the element is in the page. */
  applyVolume: (() => void) | undefined
  flash: (icon: Feedback['icon'], text: string) => void
}
