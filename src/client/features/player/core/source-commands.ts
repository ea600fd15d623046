import type { PlayerCore } from './player-core.ts'
import { rememberPlayer } from './player-memory.ts'

/** Which of what a video offers is seen and heard. */
export function sourceCommands(core: PlayerCore) {
  const { store, options } = core

  function chooseCaption(caption: number): void {
    rememberPlayer({ captions: options.captions[caption]?.language ?? null })
    store.set({ caption })
  }

  return {
    chooseQuality(quality: number | 'auto'): void {
      rememberPlayer({ quality })
      store.set({ quality })
      core.source?.chooseQuality(quality)
    },

    chooseAudioTrack(audioTrack: number): void {
      store.set({ audioTrack })
      core.source?.chooseAudioTrack(audioTrack)
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
