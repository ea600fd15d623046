import type { CutPart } from './schemas/cut.schemas.ts'
import { formatDuration } from './text/format.ts'
import { parseRichText } from './text/rich-text.ts'

/** Moves a time; `isKept` is false for one that pointed into what was dropped. */
export type MoveTime = (seconds: number) => { seconds: number; isKept: boolean }

/** How long what is kept is altogether, in seconds. */
export function cutLength(parts: readonly CutPart[]): number {
  return parts.reduce((sum, { fromSeconds, toSeconds }) => sum + toSeconds - fromSeconds, 0)
}

/** From a time before the cut to the one after it. What was dropped leads to where it was taken out. */
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

/** From a time after the cut to the one before it: the way back. */
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

/** Moves a stretch; null when nothing of it is left. */
export function moveStretch(
  move: MoveTime,
  stretch: { startSeconds: number; endSeconds: number },
): { startSeconds: number; endSeconds: number } | null {
  const startSeconds = move(stretch.startSeconds).seconds
  const endSeconds = move(stretch.endSeconds).seconds
  return endSeconds > startSeconds ? { startSeconds, endSeconds } : null
}

/**
 * Moves the times in a text that lead into a video, such as `1:23`.
 * @param maxSeconds those after it lead nowhere and stay as they are
 */
export function moveTimesInText(text: string, move: MoveTime, maxSeconds: number): string {
  return parseRichText(text, { maxSeconds })
    .map((token) =>
      token.kind === 'time' ? formatDuration(move(token.seconds).seconds) : token.text,
    )
    .join('')
}

/** Moves the times of a description. Of chapters that would begin at the same time, the last one stays. */
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

/** Chapters have their time at the beginning or at the end of a line, in brackets perhaps. */
function isAtEdge(line: string, time: string): boolean {
  const at = line.indexOf(time)
  const around = [line.slice(0, at), line.slice(at + time.length)]
  return around.some((rest) => !/[\p{L}\p{N}]/u.test(rest))
}

function readClock(time: string): number {
  return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}
