import type { CutPart } from './schemas/cut.schemas.ts'
import { formatDuration } from './text/format.ts'
import { parseRichText } from './text/rich-text.ts'

/** `isKept` is false for a time in a dropped part. */
export type MoveTime = (seconds: number) => { seconds: number; isKept: boolean }

export function cutLength(parts: readonly CutPart[]): number {
  return parts.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0)
}

/** A dropped time moves to the joint. */
export function timeAfterCut(parts: readonly CutPart[]): MoveTime {
  return (seconds) => {
    let before = 0
    for (const { fromSeconds, toSeconds } of parts) {
      if (seconds < fromSeconds) return { seconds: before, isKept: false }
      if (seconds < toSeconds) return { seconds: before + seconds - fromSeconds, isKept: true }
      before += toSeconds - fromSeconds
    }
    return { seconds: before, isKept: false }
  }
}

export function timeBeforeCut(parts: readonly CutPart[]): MoveTime {
  return (seconds) => {
    let before = 0
    for (const { fromSeconds, toSeconds } of parts) {
      const length = toSeconds - fromSeconds
      if (seconds < before + length)
        return { seconds: fromSeconds + seconds - before, isKept: true }
      before += length
    }
    return { seconds: parts.at(-1)?.toSeconds ?? 0, isKept: false }
  }
}

/** Null when nothing is left. */
export function moveRange(
  move: MoveTime,
  range: { startSeconds: number; endSeconds: number },
): { startSeconds: number; endSeconds: number } | null {
  const startSeconds = move(range.startSeconds).seconds
  const endSeconds = move(range.endSeconds).seconds
  return endSeconds > startSeconds ? { startSeconds, endSeconds } : null
}

/** Moves times such as `1:23`. @param maxSeconds later times stay unchanged */
export function moveTimesInText(text: string, move: MoveTime, maxSeconds: number): string {
  return parseRichText(text, { maxSeconds })
    .map((token) =>
      token.kind === 'time' ? formatDuration(move(token.seconds).seconds) : token.text,
    )
    .join('')
}

/** Of chapters that move to the same time only the last stays. */
export function moveTimesInDescription(text: string, move: MoveTime, maxSeconds: number): string {
  const lines = text.split('\n').map((line) => {
    const times = parseRichText(line, { maxSeconds }).filter(({ kind }) => kind === 'time')
    const [time] = times
    const isChapter = times.length === 1 && time && isAtEdge(line, time.text)
    const moved = moveTimesInText(line, move, maxSeconds)
    const startsAt = isChapter ? formatDuration(move(readClock(time.text)).seconds) : null
    return { moved, startsAt }
  })
  return lines
    .filter(({ startsAt }, index) => {
      const next = lines.slice(index + 1).find((line) => line.startsAt !== null)
      return startsAt === null || next?.startsAt !== startsAt
    })
    .map(({ moved }) => moved)
    .join('\n')
}

/** Chapters have their time at either end of a line, possibly in brackets. */
function isAtEdge(line: string, time: string): boolean {
  const at = line.indexOf(time)
  const around = [line.slice(0, at), line.slice(at + time.length)]
  return around.some((rest) => !/[\p{L}\p{N}]/u.test(rest))
}

function readClock(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
