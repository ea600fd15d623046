import { parseStoryboard, type StoryboardTile } from './storyboard.ts'

const FRAME_MS = 500
/** Longer videos skip tiles, so that a loop takes half a minute. */
const MOST_FRAMES = 60

/**
 * Loops a storyboard on `canvas`, which gets a tile's size, and `data-playing` from the first tile
 * on. Stays empty on failure.
 * @param url WebVTT
 * @returns a stop function
 */
export function playStoryboard(canvas: HTMLCanvasElement, url: string): () => void {
  const stop = new AbortController()
  play(canvas, { url, signal: stop.signal }).catch(() => {})
  return () => stop.abort()
}

async function play(
  canvas: HTMLCanvasElement,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<void> {
  const answer = await fetch(url, { signal })
  if (!answer.ok) return
  const tiles = thinOut(parseStoryboard(await answer.text(), answer.url))
  const context = canvas.getContext('2d')
  if (!context || tiles.length < 2) return
  const loadSheet = openSheets(signal)
  while (!signal.aborted) {
    for (const tile of tiles) {
      const { x, y, width, height } = tile
      const sheet = await loadSheet(tile.url)
      if (signal.aborted) return
      if (canvas.width !== width) canvas.width = width
      if (canvas.height !== height) canvas.height = height
      context.drawImage(sheet, x, y, width, height, 0, 0, width, height)
      canvas.dataset.playing = ''
      await pause(signal)
    }
  }
}

function thinOut(tiles: StoryboardTile[]): StoryboardTile[] {
  const step = Math.ceil(tiles.length / MOST_FRAMES)
  return tiles.filter((_, index) => index % step === 0)
}

/** When first needed. */
function openSheets(signal: AbortSignal): (url: string) => Promise<ImageBitmap> {
  const sheets = new Map<string, Promise<ImageBitmap>>()
  return (url) => {
    const known = sheets.get(url)
    if (known) return known
    const sheet = fetch(url, { signal })
      .then((answer) => answer.blob())
      .then((blob) => createImageBitmap(blob))
    sheets.set(url, sheet)
    return sheet
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FRAME_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
