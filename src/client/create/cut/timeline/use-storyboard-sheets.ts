import { useEffect, useState } from 'react'
import { parseStoryboard, type StoryboardTile } from '#client/platform/video/storyboard.ts'

type Storyboard = {
  tiles: readonly StoryboardTile[]
  sheets: ReadonlyMap<string, HTMLImageElement>
}

const NONE: Storyboard = { tiles: [], sheets: new Map() }

/** The small pictures of a video with the sheets that they are on, as these arrive; none when it has none. */
export function useStoryboardSheets(url: string | null): Storyboard {
  const [storyboard, setStoryboard] = useState(NONE)
  useEffect(() => {
    if (url === null) return
    const stop = new AbortController()
    void load(url, stop.signal, setStoryboard).catch(() => undefined)
    return () => stop.abort()
  }, [url])
  return storyboard
}

async function load(
  url: string,
  signal: AbortSignal,
  onChange: (storyboard: Storyboard) => void,
): Promise<void> {
  const answer = await fetch(url, { signal })
  if (!answer.ok) return
  const tiles = parseStoryboard(await answer.text(), answer.url)
  const sheets = new Map<string, HTMLImageElement>()
  for (const sheetUrl of new Set(tiles.map((tile) => tile.url))) {
    const sheet = new Image()
    sheet.src = sheetUrl
    await sheet.decode()
    if (signal.aborted) return
    sheets.set(sheetUrl, sheet)
    onChange({ tiles, sheets: new Map(sheets) })
  }
}
