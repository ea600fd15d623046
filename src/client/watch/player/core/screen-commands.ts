import type { PlayerCore } from './player-core.ts'
import { rememberedPlayer, rememberPlayer } from './player-memory.ts'

/** On iPhones only the video element can be full screen. */
type AppleVideo = HTMLVideoElement & { webkitEnterFullscreen?: () => void }

export function screenCommands(core: PlayerCore) {
  const { store } = core
  return {
    toggleFullScreen(): void {
      const video = core.video as AppleVideo | undefined
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
      else if (core.frame?.requestFullscreen) {
        void core.frame.requestFullscreen().then(turnLandscape, () => undefined)
      } else video?.webkitEnterFullscreen?.()
    },

    async togglePictureInPicture(): Promise<void> {
      const { video } = core
      if (!video || !document.pictureInPictureEnabled) return
      try {
        if (document.pictureInPictureElement) await document.exitPictureInPicture()
        else await video.requestPictureInPicture()
      } catch {
        core.flash('none', 'Picture in picture is not available here')
      }
    },

    toggleTheatre(): void {
      if (store.get().isFullScreen) void document.exitFullscreen().catch(() => undefined)
      rememberPlayer({ isTheatre: !rememberedPlayer().isTheatre })
    },
  }
}

/** Upright phones would show a wide video small. */
async function turnLandscape(): Promise<void> {
  const orientation = screen.orientation as ScreenOrientation & {
    lock?: (orientation: string) => Promise<void>
  }
  const isPhone = matchMedia('(pointer: coarse)').matches
  if (isPhone) await orientation.lock?.('landscape').catch(() => undefined)
}
