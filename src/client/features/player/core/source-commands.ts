import { playBeside } from './beside-sound.ts'
import type { PlayerCore } from './player-core.ts'
import { rememberPlayer } from './player-memory.ts'

/** Which of what a video offers is seen and heard. */
export function sourceCommands(core: PlayerCore, applyVolume: () => void) {
  const { store, options } = core

  function chooseCaption(caption: number): void {
    rememberPlayer({ captions: options.captions[caption]?.language ?? null })
    store.set({ caption })
  }

  return {
    chooseQuality(quality: number | 'auto'): void {
      rememberPlayer({ quality })
      store.set({ quality })
      core.openQuality?.(quality)
    },

    /** @param soundTrack 0 for the video's own, then those beside it */
    chooseSoundTrack(soundTrack: number): void {
      const { video, surroundings } = core
      const track = surroundings.soundTracks[soundTrack - 1]
      core.beside?.close()
      core.beside = video && track && playBeside(video, track.url)
      store.set({ soundTrack: core.beside ? soundTrack : 0 })
      applyVolume()
    },

    /** Takes the captions' index, or -1 for none. */
    chooseCaption,

    toggleCaptions(): void {
      const { captions } = options
      if (captions.length === 0) {
        core.flash('none', 'This video has no captions')
        return
      }
      const isShown = store.get().caption >= 0
      chooseCaption(isShown ? -1 : 0)
      core.flash('none', isShown ? 'Captions off' : `Captions: ${captions[0]?.label}`)
    },
  }
}
