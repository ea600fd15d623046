import { fillWhenTurned } from '#client/platform/fill-when-turned.ts'
import { isInSight } from '../core/may-continue.ts'
import type { PlayerCore } from '../core/player-core.ts'

/**
 * Shows the player in full screen while a phone is turned sideways and the video plays.
 * @returns a function that stops this
 */
export function followTurns(core: PlayerCore, video: HTMLVideoElement): () => void {
  return fillWhenTurned({
    mayFill: () =>
      !video.paused &&
      !document.pictureInPictureElement &&
      core.frame?.dataset.mini === undefined &&
      isInSight(core.frame),
    frame: () => core.frame,
  })
}
