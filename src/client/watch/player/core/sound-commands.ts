import type { PlayerCore } from './player-core.ts'
import { rememberedPlayer, rememberPlayer } from './player-memory.ts'

const VOLUME_STEP = 0.05
/** Volume when unmuting from zero. */
const AUDIBLE_VOLUME = 0.5
/** Loudness target of large video sites. */
const TARGET_LUFS = -14

export function soundCommands(core: PlayerCore) {
  const { store, flash } = core

  /**
   * Reduces loud videos by the element's volume: unlike Web Audio it works before the first gesture
   * and in picture in picture.
   */
  function applyVolume(): void {
    const { volume, isMuted } = store.get()
    const { video } = core
    if (!video) return
    video.volume = volume * levelling()
    video.muted = isMuted || core.mixer?.isHeard() === true
    core.mixer?.setVolume(isMuted ? 0 : video.volume)
  }

  function levelling(): number {
    return rememberedPlayer().levelsLoudness ? levellingFactor(core.surroundings.loudnessLufs) : 1
  }

  function change(volume: number, isMuted: boolean): void {
    store.set({ volume, isMuted, isSoundHeld: false })
    rememberPlayer({ volume, isMuted })
    applyVolume()
  }

  function setVolume(wanted: number): void {
    const volume = Math.round(Math.min(Math.max(0, wanted), 1) * 100) / 100
    change(volume, volume === 0)
  }

  return {
    applyVolume,
    levelling,
    setVolume,

    stepVolume(direction: 1 | -1): void {
      const { volume, isMuted } = store.get()
      setVolume((isMuted ? 0 : volume) + direction * VOLUME_STEP)
      const now = store.get()
      flash(now.isMuted ? 'muted' : 'volume', `${Math.round(now.volume * 100)}%`)
    },

    toggleMute(): void {
      const { volume, isMuted } = store.get()
      change(isMuted && volume === 0 ? AUDIBLE_VOLUME : volume, !isMuted)
      const now = store.get()
      const level = `${Math.round(now.volume * 100)}%`
      flash(now.isMuted ? 'muted' : 'volume', now.isMuted ? 'Muted' : level)
    },

    toggleLevelling(): void {
      rememberPlayer({ levelsLoudness: !rememberedPlayer().levelsLoudness })
      applyVolume()
    },
  }
}

/** At most 1: never amplifies. */
export function levellingFactor(loudnessLufs: number | null): number {
  if (loudnessLufs === null || loudnessLufs <= TARGET_LUFS) return 1
  return 10 ** ((TARGET_LUFS - loudnessLufs) / 20)
}
