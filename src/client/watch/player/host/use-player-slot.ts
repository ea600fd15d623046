import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { rememberedPlayer } from '../core/player-memory.ts'
import type { PlayerHandle } from '../video-player.tsx'
import { followSlot } from './follow-slot.ts'
import { endOtherThan, fillSlot, leaveSlot, playerFrame } from './hosted-player.ts'

/** The player that is open, wherever it is shown. */
export const openPlayer: RefObject<PlayerHandle | null> = { current: null }

/**
 * @param path of the page
 * @param options.playsOn in the mini player, once the page is left
 * @returns a ref for the place of the player on it
 */
export function usePlayerSlot(path: string | undefined, { playsOn = true } = {}) {
  useLayoutEffect(() => endOtherThan(path), [path])
  return useCallback(
    (slot: HTMLElement | null) => {
      if (!slot) return

      // Before the player comes into it, which looks how large it is.
      const stopFollowing = playerFrame.current && followSlot(playerFrame.current, slot)
      fillSlot(slot)
      return () => {
        stopFollowing?.()
        const isPlaying = openPlayer.current?.isPlaying() === true
        leaveSlot(slot, playsOn && isPlaying && rememberedPlayer().hasMiniPlayer)
      }
    },
    [playsOn],
  )
}
