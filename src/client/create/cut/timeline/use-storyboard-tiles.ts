import { useEffect, useState } from 'react'
import { siteRead } from '#client/platform/connection.ts'
import { parseStoryboard, type StoryboardTile } from '#client/platform/video/storyboard.ts'

const NONE: readonly StoryboardTile[] = []

/** The small pictures of a video, once they are known; none when it has none. */
export function useStoryboardTiles(url: string | null): readonly StoryboardTile[] {
  const [tiles, setTiles] = useState(NONE)
  useEffect(() => {
    if (url === null) return
    const stop = new AbortController()
    const load = async () => {
      const answer = await siteRead(url, stop.signal)
      if (answer.ok) setTiles(parseStoryboard(await answer.text(), answer.url))
    }
    // Without them there are the times still.
    void load().catch(() => undefined)
    return () => stop.abort()
  }, [url])
  return tiles
}
