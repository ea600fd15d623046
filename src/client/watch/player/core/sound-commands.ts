import type { PlayerCore } from './player-core.ts'
import { rememberedPlayer, rememberPlayer } from './player-memory.ts'

const VOLUME_STEP = 0.05
/** What unmuting a video gives whose volume was taken to nothing. */
const AUDIBLE_VOLUME = 0.5
/** As loud as a video may be, in LUFS: what the large video sites use. */
const TARGET_LUFS = -14

/** How loud it is. */
export function soundCommands(core: PlayerCore) {
  const { store, flash } = core

  /**
   * Loud videos are turned down by the element's own volume: levelling only ever reduces, and unlike a
   * Web Audio graph this works before the first gesture and in picture in picture.
   */
  function applyVolume(): void {
    const { volume, isMuted } = store.get()
    const { video } = core
    if (!video) return
    video.volume = volume * levelling()
    video.muted = isMuted
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

/** What to multiply a volume with, so that a video is no louder than others. It never makes one louder. */
export function levellingFactor(loudnessLufs: number | null): number {
  if (loudnessLufs === null || loudnessLufs <= TARGET_LUFS) return 1
  return 10 ** ((TARGET_LUFS - loudnessLufs) / 20)
}
