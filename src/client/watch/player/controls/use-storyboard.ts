import { useRef, useState } from 'react'
import { siteRead } from '#client/platform/connection.ts'
import { parseStoryboard, type StoryboardTile } from '#client/platform/video/storyboard.ts'

const NONE: StoryboardTile[] = []

/**
 * Fetched on demand.
 * @param url WebVTT
 */
export function useStoryboard(url: string | null) {
  const [tiles, setTiles] = useState(NONE)
  const isRequested = useRef(false)
  const load = () => {
    if (url === null || isRequested.current) return
    isRequested.current = true
    fetchStoryboard(url).then(setTiles, () => {
      isRequested.current = false
    })
  }
  return { tiles, load }
}

async function fetchStoryboard(url: string): Promise<StoryboardTile[]> {
  const answer = await siteRead(url)
  if (!answer.ok) return NONE
  const tiles = parseStoryboard(await answer.text(), answer.url)
  // Preloads the first sheet.
  if (tiles[0]) new Image().src = tiles[0].url
  return tiles
}
