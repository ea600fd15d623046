import { fillWhenTurned } from '#client/platform/fill-when-turned.ts'
import { isInSight } from '../core/may-continue.ts'
import type { PlayerCore } from '../core/player-core.ts'

/** Full screen while a phone that plays is turned sideways. @returns a stop function */
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
