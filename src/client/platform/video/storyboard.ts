/** Rectangle in pixels of the sheet at `url`. */
export type StoryboardTile = {
  start: number
  end: number
  url: string
  x: number
  y: number
  width: number
  height: number
}

const CUE = /^((?:\d+:)?\d{1,2}:\d{2}\.\d{3})\s+-->\s+((?:\d+:)?\d{1,2}:\d{2}\.\d{3})/
const RECTANGLE = /^(.+)#xywh=(?:pixel:)?(\d+),(\d+),(\d+),(\d+)$/

/** Addresses are relative to the file. */
export function parseStoryboard(text: string, baseUrl: string): StoryboardTile[] {
  const lines = text.split(/\r\n|\n|\r/)
  return lines.flatMap((line, index) => {
    const times = CUE.exec(line.trim())
    const place = RECTANGLE.exec(lines[index + 1]?.trim() ?? '')
    if (!times || !place) return []
    const [x = 0, y = 0, width = 0, height = 0] = place.slice(2).map(Number)
    if (width === 0 || height === 0) return []
    const url = new URL(place[1] ?? '', baseUrl).href
    return [{ start: toSeconds(times[1]), end: toSeconds(times[2]), url, x, y, width, height }]
  })
}

/** Or the last one before. */
export function tileAt(
  tiles: readonly StoryboardTile[],
  seconds: number,
): StoryboardTile | undefined {
  return tiles.findLast(({ start }) => start <= seconds) ?? tiles[0]
}

function toSeconds(clock = ''): number {
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
