import { useEffect, useState } from 'react'

/** The bytes of a wave form file, once they are here; undefined without a sound. */
export function useWaveform(url: string | null): Uint8Array | undefined {
  const [loaded, setLoaded] = useState<{ url: string; samples: Uint8Array }>()
  useEffect(() => {
    if (url === null) return
    const stop = new AbortController()
    void fetch(url, { signal: stop.signal })
      .then(async (answer) => {
        if (answer.ok) setLoaded({ url, samples: new Uint8Array(await answer.arrayBuffer()) })
      })
      .catch(() => undefined)
    return () => stop.abort()
  }, [url])
  return loaded?.url === url ? loaded?.samples : undefined
}
