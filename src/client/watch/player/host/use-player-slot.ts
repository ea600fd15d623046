import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { rememberedPlayer } from '../core/player-memory.ts'
import type { PlayerHandle } from '../video-player.tsx'
import { followSlot } from './follow-slot.ts'
import { endOtherThan, fillSlot, leaveSlot, playerFrame } from './hosted-player.ts'

export const openPlayer: RefObject<PlayerHandle | null> = { current: null }

/**
 * @param path of the page
 * @param options.playsOn in the mini player after leaving
 * @returns ref of the player's place
 */
export function usePlayerSlot(path: string | undefined, { playsOn = true } = {}) {
  useLayoutEffect(() => endOtherThan(path), [path])
  return useCallback(
    (slot: HTMLElement | null) => {
      if (!slot) return

      // First, because the player measures its size.
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
