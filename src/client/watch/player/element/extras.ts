import type { PlayerCore } from '../core/player-core.ts'
import { measureFrames } from './measure-frames.ts'
import { connectMediaSession, type MediaKeyTarget } from './media-session.ts'
import { followTurns } from './turned-screen.ts'
import { keepAwake } from './wake-lock.ts'

/** Features that playback works without; the page loads this file when it is idle. @returns a stop function */
export function attachExtras(
  player: MediaKeyTarget,
  core: PlayerCore,
  video: HTMLVideoElement,
): () => void {
  const endings = [
    connectMediaSession(player, video),
    measureFrames(core, video),
    // Not allowed in other sites' frames, where browsers log an error.
    ...(core.options.isEmbedded ? [] : [keepAwake(video), followTurns(core, video)]),
  ]
  return () => {
    for (const end of endings) end()
  }
}
