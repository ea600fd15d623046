import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

/** Fetches a part of a page that is likely to be opened, once the browser has nothing else to do. */
export function usePreloadWhenIdle(part: { preload: () => void }, isWanted = true): void {
  useEffect(() => {
    if (isWanted) void whenIdle().then(part.preload)
  }, [part, isWanted])
}
