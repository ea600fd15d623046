import { useEffect } from 'react'
import { whenIdle } from './when-idle.ts'

/** For a part that is likely to be opened. */
export function usePreloadWhenIdle(part: { preload: () => void }, isWanted = true): void {
  useEffect(() => {
    if (isWanted) void whenIdle().then(part.preload)
  }, [part, isWanted])
}
