import { type StoryboardTile, tileAt } from '#client/platform/video/storyboard.ts'
import { formatDuration, formatTenths } from '#shared/text/format.ts'
import { type TimelineView, ticksOf } from './timeline-view.ts'

export const RULER_HEIGHT = 24
export const PICTURE_HEIGHT = 56
export const WAVE_HEIGHT = 48
export const TIMELINE_HEIGHT = RULER_HEIGHT + PICTURE_HEIGHT + WAVE_HEIGHT

/** Times closer than this would be read as one word, in pixels. */
const TICK_ROOM = 88
/** Key frames that are closer than this would be a grey band, in pixels. */
const KEY_FRAME_ROOM = 4

export type TimelineContent = {
  tiles: readonly StoryboardTile[]
  /** The sheets of the tiles that are here already. */
  sheets: ReadonlyMap<string, HTMLImageElement>
  /** Loudest samples of equal parts of the view, from 0 to 1; none without a sound. */
  peaks: readonly number[]
  keyFrames: readonly number[]
  chapters: readonly { title: string; start: number }[]
  /** Times that were found or marked as worth seeing. */
  moments: readonly number[]
}

type Colors = Record<'text' | 'muted' | 'line' | 'volt' | 'info' | 'surface' | 'wave', string>

/** Draws what the timeline shows, but for what can be moved in it. */
export function drawTimeline(
  canvas: HTMLCanvasElement,
  { view, width, content }: { view: TimelineView; width: number; content: TimelineContent },
): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const scale = devicePixelRatio || 1
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(TIMELINE_HEIGHT * scale)
  context.setTransform(scale, 0, 0, scale, 0, 0)
  const colors = readColors(canvas)
  const length = view.toSeconds - view.fromSeconds
  const toX = (seconds: number) => ((seconds - view.fromSeconds) / length) * width
  drawPictures(context, { view, width, content })
  drawWave(context, width, content.peaks, colors)
  drawRuler(context, { view, width, toX, colors })
  drawMarks(context, { view, width, toX, colors, content })
}

type Drawing = {
  view: TimelineView
  width: number
  toX: (seconds: number) => number
  colors: Colors
}

function drawRuler(context: CanvasRenderingContext2D, { view, width, toX, colors }: Drawing): void {
  const length = view.toSeconds - view.fromSeconds
  const { step, times } = ticksOf(view, (TICK_ROOM / width) * length)
  context.font = '12px system-ui, sans-serif'
  context.textBaseline = 'middle'
  for (const time of times) {
    const x = Math.round(toX(time)) + 0.5
    fillLine(context, x, { from: RULER_HEIGHT - 6, to: RULER_HEIGHT, color: colors.line })
    context.fillStyle = colors.muted
    const text = step < 1 ? formatTenths(time) : formatDuration(time + 0.001)
    if (x + 4 + context.measureText(text).width < width) context.fillText(text, x + 4, 10)
  }
}

/** The picture of the middle of each box; boxes have the pictures' own shape. */
function drawPictures(
  context: CanvasRenderingContext2D,
  { view, width, content }: Pick<Drawing, 'view' | 'width'> & { content: TimelineContent },
): void {
  const [first] = content.tiles
  if (!first) return
  const boxWidth = (PICTURE_HEIGHT * first.width) / first.height
  const length = view.toSeconds - view.fromSeconds
  for (let x = 0; x < width; x += boxWidth) {
    const seconds = view.fromSeconds + ((x + boxWidth / 2) / width) * length
    const tile = tileAt(content.tiles, Math.min(seconds, view.toSeconds))
    const sheet = tile && content.sheets.get(tile.url)
    if (!tile || !sheet) continue
    const { x: left, y: top, width: across, height: down } = tile
    context.drawImage(sheet, left, top, across, down, x, RULER_HEIGHT, boxWidth, PICTURE_HEIGHT)
  }
}

function drawWave(
  context: CanvasRenderingContext2D,
  width: number,
  peaks: readonly number[],
  colors: Colors,
): void {
  const top = RULER_HEIGHT + PICTURE_HEIGHT
  const middle = top + WAVE_HEIGHT / 2
  context.fillStyle = colors.line
  context.fillRect(0, middle - 0.5, width, 1)
  context.fillStyle = colors.wave
  const step = width / Math.max(1, peaks.length)
  for (const [index, peak] of peaks.entries()) {
    const height = peak * (WAVE_HEIGHT - 6)
    context.fillRect(index * step, middle - height / 2, Math.max(1, step - 1), Math.max(1, height))
  }
}

/** Key frames below the ruler, chapters as flags, moments as dots. */
function drawMarks(
  context: CanvasRenderingContext2D,
  { view, width, toX, colors, content }: Drawing & { content: TimelineContent },
): void {
  const isSeen = (seconds: number) => seconds >= view.fromSeconds && seconds <= view.toSeconds
  const keyFrames = content.keyFrames.filter(isSeen)
  if (keyFrames.length * KEY_FRAME_ROOM < width) {
    for (const time of keyFrames) {
      const x = Math.round(toX(time)) + 0.5
      fillLine(context, x, { from: TIMELINE_HEIGHT - 5, to: TIMELINE_HEIGHT, color: colors.muted })
    }
  }
  for (const { start } of content.chapters) {
    if (!isSeen(start) || start === 0) continue
    const x = Math.round(toX(start)) + 0.5
    fillLine(context, x, { from: RULER_HEIGHT, to: TIMELINE_HEIGHT, color: colors.info })
  }
  context.fillStyle = colors.volt
  for (const time of content.moments.filter(isSeen)) {
    context.beginPath()
    context.arc(toX(time), RULER_HEIGHT - 3, 3, 0, Math.PI * 2)
    context.fill()
  }
}

function fillLine(
  context: CanvasRenderingContext2D,
  x: number,
  { from, to, color }: { from: number; to: number; color: string },
): void {
  context.strokeStyle = color
  context.beginPath()
  context.moveTo(x, from)
  context.lineTo(x, to)
  context.stroke()
}

function readColors(canvas: HTMLCanvasElement): Colors {
  const style = getComputedStyle(canvas)
  const read = (name: string) => style.getPropertyValue(`--${name}`)
  return {
    text: read('text'),
    muted: read('muted'),
    line: read('control-line'),
    volt: read('volt'),
    info: read('info'),
    surface: read('surface'),
    wave: read('muted'),
  }
}
