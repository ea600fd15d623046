import { useEffect, useState } from 'react'
import { siteRead } from '#client/platform/connection.ts'

/** Null until loaded, or without one. */
export function useWaveform(url: string | null): Uint8Array | null {
  const [loaded, setLoaded] = useState<{ url: string; peaks: Uint8Array }>()
  useEffect(() => {
    if (url === null) return
    const stop = new AbortController()
    const load = async () => {
      const answer = await siteRead(url, stop.signal)
      if (answer.ok) setLoaded({ url, peaks: new Uint8Array(await answer.arrayBuffer()) })
    }
    // Pictures suffice without it.
    void load().catch(() => undefined)
    return () => stop.abort()
  }, [url])
  return loaded?.url === url ? (loaded?.peaks ?? null) : null
}
