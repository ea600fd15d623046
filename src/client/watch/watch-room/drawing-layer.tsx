import { IconArrowUpRight, IconPencil } from '@tabler/icons-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { row } from '#client/kit/layout/layout.ts'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Drawing } from '#shared/schemas/watch-room.schemas.ts'
import { DRAWING_POINTS_MAX, DRAWING_SCALE, type DrawingTool } from '#shared/watch-rooms.ts'
import { usePlayerState } from '../player/player-context.ts'
import classes from './drawing-layer.module.css'
import { useRoom, useRoomState } from './room-context.ts'

/** Drawings disappear after this time while the video plays, and stay while it is paused. */
const SHOWN_MS = 5000
/** Tells the drawings of one page from those of others. */
const COLOUR = Math.floor(Math.random() * 6)
/** Closer points of a line are left out. */
const STEP = 40

const TOOLS = [
  { tool: 'pen', label: 'Draw on the picture', Icon: IconPencil },
  { tool: 'arrow', label: 'Point with an arrow', Icon: IconArrowUpRight },
] as const

type DrawingLayerProps = {
  /** The width and height of the picture, in the same unit. */
  width: number
  height: number
  canDraw: boolean
}

/** Lies over the picture. Black bars beside or above the picture are outside of it. */
export function DrawingLayer({ width, height, canDraw }: DrawingLayerProps) {
  const shown = useRoomState(({ drawings }) => drawings)
  const isPaused = usePlayerState((state) => state.isPaused)
  const [tool, setTool] = useState<DrawingTool>()
  const { begun, handlers } = useDrawing(tool)
  useFading(shown, isPaused)
  useEffect(() => {
    if (!tool) return
    const stop = ({ key }: KeyboardEvent) => key === 'Escape' && setTool(undefined)
    document.addEventListener('keydown', stop)
    return () => document.removeEventListener('keydown', stop)
  }, [tool])
  return (
    <>
      <svg
        className={classes.layer}
        // The picture is fitted into its element in the same way.
        viewBox={`0 0 ${width} ${height}`}
        data-active={tool !== undefined || undefined}
        role={tool ? 'application' : undefined}
        aria-label={tool ? 'Drawing' : undefined}
        aria-hidden={tool ? undefined : true}
        {...(tool && handlers)}
      >
        <g transform={`scale(${width / DRAWING_SCALE} ${height / DRAWING_SCALE})`}>
          {[...shown, ...(begun ? [begun] : [])].map((drawing) => (
            <Line key={drawing.id} drawing={drawing} isFading={!isPaused && drawing !== begun} />
          ))}
        </g>
      </svg>
      {canDraw && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
        <div role="group" aria-label="Draw" className={`${row(0)} ${classes.tools}`}>
          {TOOLS.map(({ tool: one, label, Icon }) => (
            <IconButton
              key={one}
              variant="subtle"
              className={classes.tool}
              aria-label={label}
              aria-pressed={tool === one}
              onClick={() => setTool(tool === one ? undefined : one)}
            >
              <Icon size={22} stroke={1.75} aria-hidden />
            </IconButton>
          ))}
        </div>
      )}
    </>
  )
}

function Line({ drawing, isFading }: { drawing: Drawing; isFading: boolean }) {
  const { points, tool, colour } = drawing
  return (
    <polyline
      className={classes.line}
      data-colour={colour}
      data-fading={isFading || undefined}
      points={(tool === 'arrow' ? toArrow(points) : points).join(' ')}
    />
  )
}

/** Returns a line from the first point to the last, followed by the two strokes of the head. */
function toArrow(points: readonly number[]): number[] {
  const [fromX = 0, fromY = 0] = points
  const [toX = 0, toY = 0] = points.slice(-2)
  const angle = Math.atan2(toY - fromY, toX - fromX)
  const head = (turn: number) => [
    toX - 420 * Math.cos(angle + turn),
    toY - 420 * Math.sin(angle + turn),
  ]
  return [fromX, fromY, toX, toY, ...head(0.5), toX, toY, ...head(-0.5)]
}

function useFading(shown: readonly Drawing[], isPaused: boolean): void {
  const { removeDrawings } = useRoom()
  const endsAt = useRef(new Map<number, number>())
  useEffect(() => {
    const times = endsAt.current
    if (isPaused) {
      times.clear()
      return
    }
    const now = performance.now()
    for (const { id } of shown) times.set(id, times.get(id) ?? now + SHOWN_MS)
    const next = Math.min(...shown.map(({ id }) => times.get(id) ?? now))
    if (!Number.isFinite(next)) return
    const timer = setTimeout(
      () => {
        const over = performance.now()
        const ids = shown.filter(({ id }) => (times.get(id) ?? 0) <= over).map(({ id }) => id)
        for (const id of ids) times.delete(id)
        removeDrawings(new Set(ids))
      },
      Math.max(0, next - now) + 1,
    )
    return () => clearTimeout(timer)
  }, [shown, isPaused, removeDrawings])
}

/** Returns the unfinished drawing and the pointer handlers. The drawing is sent when the pointer is lifted. */
function useDrawing(tool: DrawingTool | undefined) {
  const { token, showDrawing } = useRoom()
  const { mutate } = trpc.watchRoom.draw.useMutation({
    onError: notifyFailure('The others do not see your drawing'),
  })
  const [begun, setBegun] = useState<Drawing>()
  const current = useRef<Drawing>(undefined)
  const update = (drawing: Drawing | undefined) => {
    current.current = drawing
    setBegun(drawing)
  }
  const down = (event: PointerEvent<SVGSVGElement>) => {
    if (!tool || !event.isPrimary || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const id = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
    update({ id, tool, colour: COLOUR, points: pointOf(event) })
  }
  const move = (event: PointerEvent<SVGSVGElement>) => {
    const drawing = current.current
    if (!drawing) return
    const point = pointOf(event)
    const [x = 0, y = 0] = drawing.points.slice(-2)
    const [newX = 0, newY = 0] = point
    if (Math.hypot(newX - x, newY - y) < STEP) return
    const points = drawing.tool === 'arrow' ? drawing.points.slice(0, 2) : drawing.points
    update({ ...drawing, points: thin([...points, ...point]) })
  }
  const up = () => {
    const drawing = current.current
    update(undefined)
    if (!drawing || drawing.points.length < 4) return
    showDrawing(drawing)
    mutate({ token, drawing })
  }
  return {
    begun,
    handlers: {
      onPointerDown: down,
      onPointerMove: move,
      onPointerUp: up,
      onPointerCancel: () => update(undefined),
    },
  }
}

/** Returns a point in fractions of the picture. */
function pointOf(event: PointerEvent<SVGSVGElement>): number[] {
  const { currentTarget: svg, clientX, clientY } = event
  const { width, height } = svg.viewBox.baseVal
  const matrix = svg.getScreenCTM()?.inverse()
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix)
  const toScale = (share: number) => Math.round(Math.min(Math.max(0, share), 1) * DRAWING_SCALE)
  return [toScale(x / width), toScale(y / height)]
}

/** Leaves out every second point of a line that has too many. */
function thin(points: number[]): number[] {
  if (points.length <= DRAWING_POINTS_MAX * 2) return points
  return points.filter((_, index) => Math.floor(index / 2) % 2 === 0)
}
