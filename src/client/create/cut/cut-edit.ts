import type { CutPart } from '#shared/schemas/cut.schemas.ts'

/** All together cover the whole video. */
export type Stretch = CutPart & { isKept: boolean }

/** With undo history. */
export type CutEdit = {
  stretches: readonly Stretch[]
  past: readonly (readonly Stretch[])[]
  future: readonly (readonly Stretch[])[]
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
export const STRETCH_MIN = 0.1

/** Tolerance after rounding. */
const EPSILON = 1e-3

export function newEdit(durationSeconds: number): CutEdit {
  return startFrom([{ fromSeconds: 0, toSeconds: durationSeconds, isKept: true }])
}

const startFrom = (stretches: readonly Stretch[]): CutEdit => ({
  stretches,
  past: [],
  future: [],
  drag: undefined,
})

/** The same object without a change. */
export function reduceEdit(edit: CutEdit, action: CutAction): CutEdit {
  const { stretches, past, future } = edit
  switch (action.kind) {
    case 'undo': {
      const before = past.at(-1)
      if (!before) return edit
      return {
        stretches: before,
        past: past.slice(0, -1),
        future: [stretches, ...future],
        drag: undefined,
      }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (!next) return edit
      return { stretches: next, past: [...past, stretches], future: rest, drag: undefined }
    }
    default: {
      const changed = change(stretches, action)
      if (changed === stretches) return edit
      const drag = action.kind === 'move' ? action.drag : undefined
      const goesOn = drag !== undefined && drag === edit.drag
      return { stretches: changed, past: goesOn ? past : [...past, stretches], future: [], drag }
    }
  }
}

type Change = Exclude<CutAction, { kind: 'undo' | 'redo' }>

function change(stretches: readonly Stretch[], action: Change): readonly Stretch[] {
  switch (action.kind) {
    case 'split':
      return split(stretches, action.atSeconds)
    case 'toggle': {
      const one = stretches[action.index]
      return one ? stretches.with(action.index, { ...one, isKept: !one.isKept }) : stretches
    }
    case 'move':
      return move(stretches, action.index, action.toSeconds)
    case 'join': {
      const [before, one] = [stretches[action.index - 1], stretches[action.index]]
      if (!before || !one) return stretches
      return stretches.toSpliced(action.index - 1, 2, { ...before, toSeconds: one.toSeconds })
    }
    case 'reset': {
      const end = stretches.at(-1)?.toSeconds ?? 0
      const isWhole = stretches.length === 1 && stretches[0]?.isKept
      return isWhole ? stretches : [{ fromSeconds: 0, toSeconds: end, isKept: true }]
    }
  }
}

function split(stretches: readonly Stretch[], atSeconds: number): readonly Stretch[] {
  const index = indexAt(stretches, atSeconds)
  const one = stretches[index]
  if (!one) return stretches
  const isTooShort = [atSeconds - one.fromSeconds, one.toSeconds - atSeconds].some(
    (length) => length < STRETCH_MIN,
  )
  if (isTooShort) return stretches
  const halves = [
    { ...one, toSeconds: atSeconds },
    { ...one, fromSeconds: atSeconds },
  ]
  return stretches.toSpliced(index, 1, ...halves)
}

function move(stretches: readonly Stretch[], index: number, toSeconds: number): readonly Stretch[] {
  const [before, one] = [stretches[index - 1], stretches[index]]
  if (!before || !one) return stretches
  const least = before.fromSeconds + STRETCH_MIN
  const at = Math.max(least, Math.min(one.toSeconds - STRETCH_MIN, toSeconds))
  if (at === one.fromSeconds) return stretches
  return stretches.toSpliced(
    index - 1,
    2,
    { ...before, toSeconds: at },
    { ...one, fromSeconds: at },
  )
}

/** The last one at the end. */
export function indexAt(stretches: readonly Stretch[], seconds: number): number {
  return Math.max(
    0,
    stretches.findLastIndex(({ fromSeconds }) => fromSeconds <= seconds + EPSILON),
  )
}

/** Adjacent ones merged. */
export function keptParts(stretches: readonly Stretch[]): CutPart[] {
  const parts: CutPart[] = []
  for (const { isKept, fromSeconds, toSeconds } of stretches) {
    if (!isKept) continue
    const last = parts.at(-1)
    if (last && fromSeconds - last.toSeconds < EPSILON) {
      parts[parts.length - 1] = { ...last, toSeconds }
    } else parts.push({ fromSeconds, toSeconds })
  }
  return parts
}

export const hasDropped = (stretches: readonly Stretch[]) => stretches.some(({ isKept }) => !isKept)

/** Survives a reload. */
export const writeEdit = ({ stretches }: CutEdit) => JSON.stringify(stretches)

/** Undefined for another video. */
export function readEdit(text: string | null, durationSeconds: number): CutEdit | undefined {
  try {
    const found: unknown = JSON.parse(text ?? 'null')
    if (!Array.isArray(found) || !found.every(isStretch)) return undefined
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

function isStretch(value: unknown): value is Stretch {
  const one = value as Partial<Stretch> | null
  return (
    typeof one?.fromSeconds === 'number' &&
    typeof one.toSeconds === 'number' &&
    typeof one.isKept === 'boolean'
  )
}
