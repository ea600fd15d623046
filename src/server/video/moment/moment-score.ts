import type { Moment, MomentSource } from '#shared/schemas/moment.schemas.ts'

/** `weight` is above 0, up to 1. */
export type MomentEvent = {
  source: MomentSource
  atSeconds: number
  weight: number
  title?: string | null
}

/** Greatest weights: a pressed key is deliberate, a new picture may be a loading screen. */
const trust: Record<MomentSource, number> = {
  mark: 1,
  chapter: 1,
  loud: 0.8,
  comment: 0.7,
  reaction: 0.7,
  scene: 0.6,
  heat: 0.5,
}

/** People react after the event. */
const reachBackSeconds = 8
const reachAheadSeconds = 2
/** Closer events are one moment. */
const gapSeconds = 20
const longestSeconds = 90
const mostMoments = 100

/** Events rise over the seconds before; simultaneous ones add up to less than their sum. */
export function scoreSeconds(
  events: readonly MomentEvent[],
  durationSeconds: number,
): Float64Array {
  const sums = new Float64Array(Math.ceil(durationSeconds))
  for (const { source, atSeconds, weight } of events) {
    const at = Math.floor(atSeconds)
    const last = Math.min(at + reachAheadSeconds, sums.length - 1)
    for (let second = Math.max(0, at - reachBackSeconds); second <= last; second += 1) {
      const reach = second <= at ? reachBackSeconds + 1 : reachAheadSeconds + 1
      const share = 1 - Math.abs(second - at) / reach
      sums[second] = (sums[second] ?? 0) + trust[source] * weight * share
    }
  }
  return sums.map((sum) => (sum === 0 ? 0 : 1 - Math.exp(-sum)))
}

export function mergeMoments(events: readonly MomentEvent[], durationSeconds: number): Moment[] {
  const scores = scoreSeconds(events, durationSeconds)
  const inOrder = events
    .filter(({ atSeconds }) => atSeconds < durationSeconds)
    .sort((a, b) => a.atSeconds - b.atSeconds)
  const groups: MomentEvent[][] = []
  for (const event of inOrder) {
    const group = groups.at(-1)
    const [first, last] = [group?.[0], group?.at(-1)]
    const isNear =
      first &&
      last &&
      event.atSeconds - last.atSeconds <= gapSeconds &&
      event.atSeconds - first.atSeconds <= longestSeconds
    if (group && isNear) group.push(event)
    else groups.push([event])
  }
  return groups
    .map((group) => toMoment(group, scores, durationSeconds))
    .sort((a, b) => b.score - a.score)
    .slice(0, mostMoments)
    .sort((a, b) => a.atSeconds - b.atSeconds)
}

function toMoment(
  group: readonly MomentEvent[],
  scores: Float64Array,
  durationSeconds: number,
): Moment {
  const scoreAt = ({ atSeconds }: MomentEvent) => scores[Math.floor(atSeconds)] ?? 0
  const peak = group.reduce((best, event) => (scoreAt(event) > scoreAt(best) ? event : best))
  const [first, last] = [group[0] ?? peak, group.at(-1) ?? peak]
  return {
    atSeconds: Math.max(0, first.atSeconds - reachBackSeconds),
    peakSeconds: peak.atSeconds,
    endSeconds: Math.min(durationSeconds, last.atSeconds + reachAheadSeconds),
    score: Math.round(scoreAt(peak) * 1000) / 1000,
    sources: [...new Set(group.map(({ source }) => source))],
    count: group.filter(({ source }) => source === 'mark').length,
    title: group.find(({ title }) => title)?.title ?? null,
  }
}

/**
 * 0 to 1 per part: watch time, topped by moments.
 * @param heat may be empty
 */
export function drawCurve(
  heat: readonly number[],
  input: { events: readonly MomentEvent[]; durationSeconds: number; parts: number },
): number[] {
  const { events, durationSeconds, parts } = input
  if (events.length === 0) return [...heat]
  const scores = scoreSeconds(events, durationSeconds)
  const curve = new Array<number>(parts).fill(0).map((_, part) => {
    const from = Math.floor((part * durationSeconds) / parts)
    const until = Math.max(from + 1, Math.floor(((part + 1) * durationSeconds) / parts))
    let highest = 0
    for (let second = from; second < until; second += 1) {
      highest = Math.max(highest, scores[second] ?? 0)
    }
    return highest + (heat[part] ?? 0) / 2
  })
  const most = Math.max(...curve)
  return curve.map((height) => Math.round((height / most) * 1000) / 1000)
}

/** Share of the maximum that makes a part a moment. */
const hotShare = 0.8
/** A shorter video is one moment. */
const leastSeconds = 30
const leastAboveUsual = 0.3

export function findHotParts(heat: readonly number[], durationSeconds: number): MomentEvent[] {
  if (durationSeconds < leastSeconds) return []
  const usual = [...heat].sort((a, b) => a - b)[heat.length >> 1] ?? 0
  return heat.flatMap((share, part) => {
    const isHighest = share >= (heat[part - 1] ?? 0) && share > (heat[part + 1] ?? 0)
    if (!isHighest || share < hotShare || share - usual < leastAboveUsual) return []
    const atSeconds = ((part + 0.5) * durationSeconds) / heat.length
    return [{ source: 'heat' as const, atSeconds, weight: share }]
  })
}
