import { type RefObject, useCallback, useLayoutEffect } from 'react'
import { rememberedPlayer } from '../core/player-memory.ts'
import type { PlayerHandle } from '../video-player.tsx'
import { followSlot } from './follow-slot.ts'
import { endOtherThan, fillSlot, leaveSlot, playerFrame } from './hosted-player.ts'

/** The player that is open, wherever it is shown. */
export const openPlayer: RefObject<PlayerHandle | null> = { current: null }

/** @returns a ref for the place of the player on the page of `videoId` */
export function usePlayerSlot(videoId: number | undefined) {
  useLayoutEffect(() => endOtherThan(videoId), [videoId])
  return useCallback((slot: HTMLElement | null) => {
    if (!slot) return

    // Before the player comes into it, which looks how large it is.
    const stopFollowing = playerFrame.current && followSlot(playerFrame.current, slot)
    fillSlot(slot)
    return () => {
      stopFollowing?.()
      const isPlaying = openPlayer.current?.isPlaying() === true
      leaveSlot(slot, isPlaying && rememberedPlayer().hasMiniPlayer)
    }
  }, [])
}
