import type { PlayerCore } from './player-core.ts'

/**
 * Begins to play. Browsers forbid sound to a page that nobody has touched: the video then starts muted, which
 * `isSoundHeld` says, and what the viewer chose before is not changed by it.
 */
export async function startPlaying({ store }: PlayerCore, video: HTMLVideoElement): Promise<void> {
  if (await canPlay(video)) return
  if (video.muted || !video.isConnected) return
  const { isMuted } = store.get()
  video.muted = true
  store.set({ isMuted: true, isSoundHeld: true })
  if (await canPlay(video)) return
  // Not even without sound: it waits for a press, and then has its sound.
  video.muted = isMuted
  store.set({ isMuted, isSoundHeld: false })
}

/** False when the browser forbids it; what else goes wrong shows by itself. */
const canPlay = (video: HTMLVideoElement) =>
  video.play().then(
    () => true,
    (error: DOMException) => error.name !== 'NotAllowedError',
  )
