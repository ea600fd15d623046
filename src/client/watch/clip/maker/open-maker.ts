import { useSyncExternalStore } from 'react'
import { createStore } from '#client/platform/store.ts'

type Opened = {
  /** The video that a clip is being made of. */
  videoId: number | null
  /** Whoever pressed a key can go on with keys. */
  isByKey: boolean
}

const maker = createStore<Opened>({ videoId: null, isByKey: false })

/** Shows the clip maker below the player of a video. */
export function openClipMaker(videoId: number, { isByKey }: { isByKey: boolean }): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
  maker.set({ videoId, isByKey })
}

export function closeClipMaker(): void {
  maker.set({ videoId: null, isByKey: false })
}

/** Whether it is open for a video, and how it was opened. */
export function useOpenMaker(videoId: number): Opened | null {
  const opened = useSyncExternalStore(maker.subscribe, maker.get)
  return opened.videoId === videoId ? opened : null
}
