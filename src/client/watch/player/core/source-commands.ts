import type { PlayerCore } from './player-core.ts'
import { rememberedPlayer, rememberPlayer } from './player-memory.ts'
import type { CaptionTrack } from './player-state.ts'

export function sourceCommands(core: PlayerCore) {
  const { store } = core

  function chooseCaption(caption: number): void {
    const language = store.get().captions[caption]?.language
    rememberPlayer({ captions: language ?? null, ...(language && { captionsBefore: language }) })
    store.set({ caption })
  }

  return {
    chooseQuality(quality: number | 'auto'): void {
      rememberPlayer({ quality })
      store.set({ quality })
      core.openQuality?.(quality)
    },

    /** @param soundTrack from 0 */
    chooseSoundTrack(soundTrack: number): void {
      store.set({ soundTrack })
      core.openSoundTrack?.(soundTrack)
    },

    /** Applies the remembered language; keeps what is shown. */
    offerCaptions(captions: readonly CaptionTrack[]): void {
      const before = store.get()
      if (captions === before.captions) return
      const shown = before.captions[before.caption]?.src
      const wanted = rememberedPlayer().captions
      const same = captions.findIndex(({ src }) => src === shown)
      const caption =
        same < 0 && wanted !== null ? captions.findIndex((one) => one.language === wanted) : same
      store.set({ captions, caption })
    },

    /** Index, or -1 for none. */
    chooseCaption,

    toggleCaptions(): void {
      const { captions, caption } = store.get()
      if (captions.length === 0) {
        core.flash('none', 'This video has no captions')
        return
      }
      if (caption >= 0) {
        chooseCaption(-1)
        core.flash('none', 'Captions off')
        return
      }
      const likely = likelyCaption(captions, [
        rememberedPlayer().captionsBefore,
        ...navigator.languages,
      ])
      chooseCaption(likely)
      core.flash('none', `Captions: ${captions[likely]?.label}`)
    },
  }
}

/** Matches a language exactly or nearly ('en' for 'en-GB'), else the first. */
export function likelyCaption(
  captions: readonly Pick<CaptionTrack, 'language'>[],
  languages: readonly (string | null)[],
): number {
  const plain = (tag: string) => tag.split('-')[0]
  for (const wanted of languages) {
    if (wanted === null) continue
    const exact = captions.findIndex(({ language }) => language === wanted)
    if (exact >= 0) return exact
    const near = captions.findIndex(({ language }) => plain(language) === plain(wanted))
    if (near >= 0) return near
  }
  return 0
}
