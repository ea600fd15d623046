import { useEffect, useState } from 'react'
import { siteRead } from '#client/platform/connection.ts'
import { parseStoryboard, type StoryboardTile } from '#client/platform/video/storyboard.ts'

const NONE: readonly StoryboardTile[] = []

/** Empty until loaded, or without any. */
export function useStoryboardTiles(url: string | null): readonly StoryboardTile[] {
  const [tiles, setTiles] = useState(NONE)
  useEffect(() => {
    if (url === null) return
    const stop = new AbortController()
    const load = async () => {
      const answer = await siteRead(url, stop.signal)
      if (answer.ok) setTiles(parseStoryboard(await answer.text(), answer.url))
    }
    // Times suffice without pictures.
    void load().catch(() => undefined)
    return () => stop.abort()
  }, [url])
  return tiles
}
