import type { ComponentType, RefObject } from 'react'
import { createStore } from '#client/platform/store.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'

type Shown = {
  video: Video
  /** The whole video by default. */
  clip?: Clip
  /** From the address. */
  startSeconds: number | undefined
  autoPlay: boolean
  /** Queue that it belongs to. */
  list: string | undefined
  /** Passed by the page, so that other pages do not load it. */
  Layer: ComponentType<LayerProps>
}

export type LayerProps = {
  shown: Shown
  /** The layer's parent, which outlives the video. */
  frame: RefObject<HTMLElement | null>
  /** No page has a slot. */
  isMini: boolean
}

type HostState = {
  shown: Shown | null
  /** Place of the player in the open watch page. */
  slot: HTMLElement | null
}

const host = createStore<HostState>({ shown: null, slot: null })

export const playerFrame: RefObject<HTMLElement | null> = { current: null }

export const playerHost = host.get
export const subscribeToPlayerHost = host.subscribe

/** Identifies what plays. */
export function keyOf({ video, clip }: Pick<Shown, 'video' | 'clip'>): string {
  return clip ? `/clip/${clip.id}` : `/video/${video.id}`
}

/** Does nothing if it already plays. */
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

/** Ends other playback. */
export function endOtherThan(path: string | undefined): void {
  const { shown } = host.get()
  if (shown && keyOf(shown) !== path) endPlayer()
}

export function fillSlot(slot: HTMLElement): void {
  host.set({ slot })
}

/** @param playsOn in the mini player */
export function leaveSlot(slot: HTMLElement, playsOn: boolean): void {
  if (host.get().slot !== slot) return
  host.set({ slot: null, ...(!playsOn && { shown: null }) })
}
