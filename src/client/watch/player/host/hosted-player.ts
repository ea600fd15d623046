import type { ComponentType, RefObject } from 'react'
import { createStore } from '#client/platform/store.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

/** The video that plays, on its page or in the mini player. */
type Shown = {
  video: Video
  /** The part of it that plays; all of it by default. */
  clip?: Clip
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

/** The path of the page of what plays, which distinguishes it. */
export function keyOf({ video, clip }: Pick<Shown, 'video' | 'clip'>): string {
  return clip ? `/clip/${clip.id}` : `/video/${video.id}`
}

/** Plays a video; the one that plays already goes on as it is. */
export function showVideo(shown: Shown): void {
  const before = host.get().shown
  const { video, clip, list } = shown
  if (!before || keyOf(before) !== keyOf(shown)) host.set({ shown })
  else if (before.video !== video || before.clip !== clip || before.list !== list) {
    host.set({ shown: { ...before, video, list, ...(clip && { clip }) } })
  }
}

export function endPlayer(): void {
  host.set({ shown: null })
}

/** What else played makes room for the page with this path. */
export function endOtherThan(path: string | undefined): void {
  const { shown } = host.get()
  if (shown && keyOf(shown) !== path) endPlayer()
}

export function fillSlot(slot: HTMLElement): void {
  host.set({ slot })
}

/** The watch page closes. @param playsOn in the mini player */
export function leaveSlot(slot: HTMLElement, playsOn: boolean): void {
  if (host.get().slot !== slot) return
  host.set({ slot: null, ...(!playsOn && { shown: null }) })
}
