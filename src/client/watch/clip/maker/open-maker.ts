import { useSyncExternalStore } from 'react'
import { createStore } from '#client/platform/store.ts'

type Opened = {
  /** Video being clipped. */
  videoId: number | null
  /** Keyboard users get the focus. */
  isByKey: boolean
}

const maker = createStore<Opened>({ videoId: null, isByKey: false })

export function openClipMaker(videoId: number, { isByKey }: { isByKey: boolean }): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  maker.set({ videoId, isByKey })
}

export function closeClipMaker(): void {
  maker.set({ videoId: null, isByKey: false })
}

/** Null when closed. */
export function useOpenMaker(videoId: number): Opened | null {
  const opened = useSyncExternalStore(maker.subscribe, maker.get)
  return opened.videoId === videoId ? opened : null
}
