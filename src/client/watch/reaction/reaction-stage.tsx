import {
  type CSSProperties,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { hasOpenDialog } from '#client/platform/has-open-dialog.ts'
import { REACTION_KINDS, type ReactionKind } from '#shared/reactions.ts'
import { isTyping } from '../player/core/player-keys.ts'
import { usePlayer, usePlayerState } from '../player/player-context.ts'
import { ReactionBar } from './reaction-bar.tsx'
import { onReaction } from './reaction-bus.ts'
import { ReactionSign } from './reaction-sign.tsx'
import classes from './reaction-stage.module.css'
import {
  findReactionMarks,
  type PlannedFloat,
  planFloats,
  type ReactionMark,
  type TimedReactions,
} from './timed-reactions.ts'

export type ReactionRange = { start: number; end: number }
type Range = ReactionRange

type ReactionStageProps = {
  /** Reactions of earlier viewers. */
  timed?: TimedReactions | undefined
  range?: Range | undefined
  canReact: boolean
  /** False where the buttons are elsewhere. */
  hasBar?: boolean
  press: (kind: ReactionKind) => void
  pressed: ReactionKind | undefined
  /** For screen readers. */
  said: string
}

/** Shows reactions over the picture, with the buttons and keys for them. */
export function ReactionStage(props: ReactionStageProps) {
  const { timed, range, canReact, hasBar = true, press, pressed, said } = props
  useReactionKeys(canReact ? press : undefined)
  return (
    <>
      {timed && <Marks timed={timed} range={range} />}
      <Floating timed={timed} range={range} />
      {canReact && hasBar && (
        <ReactionBar className={classes.bar} pressed={pressed} onReact={press} />
      )}
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </>
  )
}

function useReactionKeys(press: ((kind: ReactionKind) => void) | undefined): void {
  const current = useRef(press)
  current.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { altKey, ctrlKey, metaKey, shiftKey, repeat, code, target } = event
      const [, digit] = /^(?:Digit|Numpad)([1-6])$/.exec(code) ?? []
      const kind = REACTION_KINDS[Number(digit) - 1]
      if (!kind || !altKey || ctrlKey || metaKey || shiftKey || !current.current) return
      if (hasOpenDialog() || (target instanceof Element && isTyping(target))) return
      event.preventDefault()
      if (!repeat) current.current(kind)
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Shows marks in the strip of the heat curve. */
function Marks({ timed, range }: { timed: TimedReactions; range: Range | undefined }) {
  const { core } = usePlayer()
  const duration = usePlayerState((state) => state.duration)
  const marks = useMemo(
    () => findReactionMarks(timed, range ?? { start: 0, end: duration }),
    [timed, range, duration],
  )
  const [slider, setSlider] = useState<Element | null>(null)
  useEffect(() => {
    setSlider(core.element.closest('[role="group"]')?.querySelector('[role="slider"]') ?? null)
  }, [core])
  if (!slider || marks.length === 0) return null
  return createPortal(<MarkRow marks={marks} />, slider)
}

function MarkRow({ marks }: { marks: readonly ReactionMark[] }) {
  return (
    <div className={classes.marks} aria-hidden="true">
      {marks.map(({ share, kind }) => (
        <span key={share} style={{ left: `${share * 100}%` }}>
          <ReactionSign kind={kind} size={14} />
        </span>
      ))}
    </div>
  )
}

const WHOLE: Range = { start: 0, end: Number.POSITIVE_INFINITY }

type FloatingProps = { timed: TimedReactions | undefined; range: Range | undefined }
type Float = { id: number; kind: ReactionKind; place: number }

const FLOATS_MAX = 12
const FLOAT_MS = 2400
/** A longer step of the playback time is treated as a seek. */
const LONGEST_STEP_SECONDS = 2

/** Shows nothing if the viewer prefers reduced motion. */
function Floating({ timed, range = WHOLE }: FloatingProps) {
  const player = usePlayer()
  const isCalm = useReducedMotion()
  const [floats, setFloats] = useState<readonly Float[]>([])
  const timers = useRef(new Set<ReturnType<typeof setTimeout>>())
  const lastId = useRef(0)
  const show = useRef((_: ReactionKind) => {})
  show.current = (kind) => {
    if (isCalm || document.hidden) return
    lastId.current += 1
    const float = { id: lastId.current, kind, place: (lastId.current * 37) % 100 }
    setFloats((now) => (now.length < FLOATS_MAX ? [...now, float] : now))
    const timer = setTimeout(() => {
      timers.current.delete(timer)
      setFloats((now) => now.filter(({ id }) => id !== float.id))
    }, FLOAT_MS)
    timers.current.add(timer)
  }
  const { start, end } = range
  useEffect(
    () =>
      onReaction((kind, second) => {
        if (second >= Math.floor(start) && second < end) show.current(kind)
      }),
    [start, end],
  )
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running) clearTimeout(timer)
    }
  }, [])
  const latest = useRef(timed)
  latest.current = timed
  useEffect(() => {
    let before = start + player.get().time
    // Made when the part begins, so that what the viewer adds to it does not float again.
    let plan: { at: number; floats: readonly PlannedFloat[] } | undefined
    return player.subscribe(() => {
      const { time: place, isPaused } = player.get()
      const time = start + place
      const from = before
      before = time
      const reactions = latest.current
      if (!reactions) return
      const { bucketSeconds } = reactions
      const last = Math.floor(time / bucketSeconds)
      const first = Math.floor(from / bucketSeconds)
      const planOf = (at: number) =>
        plan?.at === at ? plan : { at, floats: planFloats(reactions, at) }
      const isPlaying = !isPaused && time > from && time - from <= LONGEST_STEP_SECONDS
      for (let at = first; isPlaying && at <= last; at += 1) {
        for (const { atSeconds, kind } of planOf(at).floats) {
          if (atSeconds > from && atSeconds <= time) show.current(kind)
        }
      }
      plan = planOf(last)
    })
  }, [player, start])
  return (
    <div className={classes.floats} aria-hidden="true">
      {floats.map(({ id, kind, place }) => (
        <span key={id} style={{ '--place': place / 100 } as CSSProperties}>
          <ReactionSign kind={kind} size={32} />
        </span>
      ))}
    </div>
  )
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      reducedMotion.addEventListener('change', listener)
      return () => reducedMotion.removeEventListener('change', listener)
    },
    () => reducedMotion.matches,
  )
}
