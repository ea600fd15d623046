import type { Quality, SourceListener } from './source.ts'

/** Keeps what a source says until somebody listens, who then hears the latest of it first. */
export function createSourceRelay() {
  let listener: SourceListener | undefined
  let qualities: readonly Quality[] | undefined
  let playing: Quality | null | undefined
  let trouble: Parameters<SourceListener['onTrouble']>[0] | undefined
  const input: SourceListener = {
    onQualities(latest) {
      qualities = latest
      listener?.onQualities(latest)
    },
    onPlaying(latest) {
      playing = latest
      listener?.onPlaying(latest)
    },
    onTrouble(kind) {
      trouble = kind
      listener?.onTrouble(kind)
    },
    onSoundFailed: () => listener?.onSoundFailed(),
  }
  return {
    input,
    hasTrouble: () => trouble !== undefined,
    listen(next: SourceListener): void {
      listener = next
      if (qualities) next.onQualities(qualities)
      if (playing !== undefined) next.onPlaying(playing)
      if (trouble) next.onTrouble(trouble)
    },
  }
}
