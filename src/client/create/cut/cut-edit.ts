import type { CutPart } from '#shared/schemas/cut.schemas.ts'

/** Segments cover the whole video. */
export type Segment = CutPart & { isKept: boolean }

/** With undo history. */
export type CutEdit = {
  segments: readonly Segment[]
  past: readonly (readonly Segment[])[]
  future: readonly (readonly Segment[])[]
  /** One undo reverts a whole drag. */
  drag: string | undefined
}

export type CutAction =
  | { kind: 'split'; atSeconds: number }
  /** Drops or restores. */
  | { kind: 'toggle'; index: number }
  /** Moves its start. */
  | { kind: 'move'; index: number; toSeconds: number; drag?: string }
  /** With the one before. */
  | { kind: 'join'; index: number }
  | { kind: 'undo' }
  | { kind: 'redo' }
  | { kind: 'reset' }

/** Shortest, in seconds. */
export const SEGMENT_MIN = 0.1

/** Tolerance after rounding. */
const EPSILON = 1e-3

export function newEdit(durationSeconds: number): CutEdit {
  return startFrom([{ fromSeconds: 0, toSeconds: durationSeconds, isKept: true }])
}

const startFrom = (segments: readonly Segment[]): CutEdit => ({
  segments,
  past: [],
  future: [],
  drag: undefined,
})

/** The same object without a change. */
export function reduceEdit(edit: CutEdit, action: CutAction): CutEdit {
  const { segments, past, future } = edit
  switch (action.kind) {
    case 'undo': {
      const before = past.at(-1)
      if (!before) return edit
      return {
        segments: before,
        past: past.slice(0, -1),
        future: [segments, ...future],
        drag: undefined,
      }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (!next) return edit
      return { segments: next, past: [...past, segments], future: rest, drag: undefined }
    }
    default: {
      const changed = change(segments, action)
      if (changed === segments) return edit
      const drag = action.kind === 'move' ? action.drag : undefined
      const isSameDrag = drag !== undefined && drag === edit.drag
      return { segments: changed, past: isSameDrag ? past : [...past, segments], future: [], drag }
    }
  }
}

type Change = Exclude<CutAction, { kind: 'undo' | 'redo' }>

function change(segments: readonly Segment[], action: Change): readonly Segment[] {
  switch (action.kind) {
    case 'split':
      return split(segments, action.atSeconds)
    case 'toggle': {
      const one = segments[action.index]
      return one ? segments.with(action.index, { ...one, isKept: !one.isKept }) : segments
    }
    case 'move':
      return move(segments, action.index, action.toSeconds)
    case 'join': {
      const [before, one] = [segments[action.index - 1], segments[action.index]]
      if (!before || !one) return segments
      return segments.toSpliced(action.index - 1, 2, { ...before, toSeconds: one.toSeconds })
    }
    case 'reset': {
      const end = segments.at(-1)?.toSeconds ?? 0
      const isWhole = segments.length === 1 && segments[0]?.isKept
      return isWhole ? segments : [{ fromSeconds: 0, toSeconds: end, isKept: true }]
    }
  }
}

function split(segments: readonly Segment[], atSeconds: number): readonly Segment[] {
  const index = indexAt(segments, atSeconds)
  const one = segments[index]
  if (!one) return segments
  const isTooShort = [atSeconds - one.fromSeconds, one.toSeconds - atSeconds].some(
    (length) => length < SEGMENT_MIN,
  )
  if (isTooShort) return segments
  const halves = [
    { ...one, toSeconds: atSeconds },
    { ...one, fromSeconds: atSeconds },
  ]
  return segments.toSpliced(index, 1, ...halves)
}

function move(segments: readonly Segment[], index: number, toSeconds: number): readonly Segment[] {
  const [before, one] = [segments[index - 1], segments[index]]
  if (!before || !one) return segments
  const least = before.fromSeconds + SEGMENT_MIN
  const at = Math.max(least, Math.min(one.toSeconds - SEGMENT_MIN, toSeconds))
  if (at === one.fromSeconds) return segments
  return segments.toSpliced(index - 1, 2, { ...before, toSeconds: at }, { ...one, fromSeconds: at })
}

/** The last one at the end. */
export function indexAt(segments: readonly Segment[], seconds: number): number {
  return Math.max(
    0,
    segments.findLastIndex(({ fromSeconds }) => fromSeconds <= seconds + EPSILON),
  )
}

/** Adjacent ones merged. */
export function keptParts(segments: readonly Segment[]): CutPart[] {
  const parts: CutPart[] = []
  for (const { isKept, fromSeconds, toSeconds } of segments) {
    if (!isKept) continue
    const last = parts.at(-1)
    if (last && fromSeconds - last.toSeconds < EPSILON) {
      parts[parts.length - 1] = { ...last, toSeconds }
    } else parts.push({ fromSeconds, toSeconds })
  }
  return parts
}

export const hasDropped = (segments: readonly Segment[]) => segments.some(({ isKept }) => !isKept)

/** Survives a reload. */
export const writeEdit = ({ segments }: CutEdit) => JSON.stringify(segments)

/** Undefined for another video. */
export function readEdit(text: string | null, durationSeconds: number): CutEdit | undefined {
  try {
    const found: unknown = JSON.parse(text ?? 'null')
    if (!Array.isArray(found) || !found.every(isSegment)) return undefined
    const joins = found.every(
      ({ fromSeconds, toSeconds }, index) =>
        fromSeconds === (found[index - 1]?.toSeconds ?? 0) && toSeconds > fromSeconds,
    )
    if (!joins || found.at(-1)?.toSeconds !== durationSeconds) return undefined
    return startFrom(found)
  } catch {
    return undefined
  }
}

function isSegment(value: unknown): value is Segment {
  const one = value as Partial<Segment> | null
  return (
    typeof one?.fromSeconds === 'number' &&
    typeof one.toSeconds === 'number' &&
    typeof one.isKept === 'boolean'
  )
}
