import type { ComponentType, RefObject } from 'react'
import { createStore } from '#client/platform/store.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

/** The video that plays, on its page or in the mini player. */
type Shown = {
  video: Video
  /** A place that the address asks for. */
  startSeconds: number | undefined
  autoPlay: boolean
  /** The list that it is played of. */
  list: string | undefined
  /** Draws the player: passed by the page that starts it, so that other pages do not load it. */
  Layer: ComponentType<LayerProps>
}

export type LayerProps = {
  shown: Shown
  /** The element that the layer fills; it outlives the video. */
  frame: RefObject<HTMLElement | null>
  /** No page has a place for it. */
  isMini: boolean
}

type HostState = {
  shown: Shown | null
  /** The place of the player on the watch page, while that is open. */
  slot: HTMLElement | null
}

const host = createStore<HostState>({ shown: null, slot: null })

/** What holds the player, in the shell. */
export const playerFrame: RefObject<HTMLElement | null> = { current: null }

export const playerHost = host.get
export const subscribeToPlayerHost = host.subscribe

/** Plays a video; the one that plays already goes on as it is. */
export function showVideo(shown: Shown): void {
  const before = host.get().shown
  const { video, list } = shown
  if (before?.video.id !== video.id) host.set({ shown })
  else if (before.video !== video || before.list !== list) {
    host.set({ shown: { ...before, video, list } })
  }
}

export function endPlayer(): void {
  host.set({ shown: null })
}

/** What else played makes room for the page of this video. */
export function endOtherThan(videoId: number | undefined): void {
  if (host.get().shown?.video.id !== videoId) endPlayer()
}

export function fillSlot(slot: HTMLElement): void {
  host.set({ slot })
}

/** The watch page closes. @param playsOn in the mini player */
export function leaveSlot(slot: HTMLElement, playsOn: boolean): void {
  if (host.get().slot !== slot) return
  host.set({ slot: null, ...(!playsOn && { shown: null }) })
}
