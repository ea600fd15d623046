import type { PlayerCore } from './player-core.ts'

/**
 * Browsers forbid sound before any gesture: the video then starts muted (`isSoundHeld`), without
 * changing the viewer's choice.
 */
export async function startPlaying(core: PlayerCore, video: HTMLVideoElement): Promise<void> {
  await playOrMute(core, video)
  core.store.set({ isStarting: false })
}

async function playOrMute({ store }: PlayerCore, video: HTMLVideoElement): Promise<void> {
  if (await canPlay(video)) return
  if (video.muted || !video.isConnected) return
  const { isMuted } = store.get()
  video.muted = true
  store.set({ isMuted: true, isSoundHeld: true })
  if (await canPlay(video)) return
  // Not even muted: waits for a press, and restores the sound.
  video.muted = isMuted
  store.set({ isMuted, isSoundHeld: false })
}

/** False when forbidden; other errors show by themselves. */
const canPlay = (video: HTMLVideoElement) =>
  video.play().then(
    () => true,
    (error: DOMException) => error.name !== 'NotAllowedError',
  )
