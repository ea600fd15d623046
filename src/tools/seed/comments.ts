import { formatDuration } from '#shared/text/format.ts'
import { GAMES } from './games.ts'
import type { SeedMember } from './members.ts'
import { commentOf, replyOf } from './phrases.ts'
import type { Random } from './random.ts'
import { pickMember, type SeedVideo } from './videos.ts'

export type SeedComment = {
  id: number
  author: SeedMember
  content: string
  parentId: number | null
  /** Unix milliseconds. */
  createdAt: number
}

const FIRST_COMMENT_MS = 90_000

/** Popular videos get more, hidden ones none. */
export function shareComments(
  input: { total: number; weights: Float64Array },
  random: Random,
): Uint32Array {
  const { total, weights } = input
  const counts = new Uint32Array(weights.length)
  const sums = new Float64Array(weights.length)
  let sum = 0
  for (let index = 0; index < weights.length; index++) {
    sum += weights[index] as number
    sums[index] = sum
  }
  if (sum === 0) return counts
  for (let left = total; left > 0; left--) {
    const index = firstAbove(sums, random.fraction() * sum)
    counts[index] = (counts[index] as number) + 1
  }
  return counts
}

/** Oldest first; a reply follows its target. */
export function makeComments(
  input: {
    video: SeedVideo
    members: SeedMember[]
    count: number
    firstId: number
    until: number
  },
  random: Random,
): SeedComment[] {
  const { video, members, count, firstId, until } = input
  const comments: SeedComment[] = []
  const threads: SeedComment[][] = []
  for (const [index, createdAt] of commentTimes({ video, count, until }, random).entries()) {
    const author = pickMember(members, { before: createdAt, favour: 1.3 }, random)
    const extra = { time: formatDuration(random.fraction() * video.duration) }
    const thread =
      threads.length > 0 && random.chance(0.38) ? random.pick(threads.slice(-8)) : undefined
    const game = GAMES[video.category]
    const comment: SeedComment = {
      id: firstId + index,
      author,
      content: thread
        ? answer(thread, replyOf(game, random, extra), random)
        : mention(commentOf(game, random, extra), { members, createdAt }, random),
      parentId: thread?.[0]?.id ?? null,
      createdAt,
    }
    comments.push(comment)
    if (thread) thread.push(comment)
    else threads.push([comment])
  }
  return comments
}

function commentTimes(
  input: { video: SeedVideo; count: number; until: number },
  random: Random,
): number[] {
  const first = Math.min(input.video.publishedAt + FIRST_COMMENT_MS, input.until)
  const times = Array.from({ length: input.count }, () =>
    Math.floor(first + random.fraction() ** 3 * (input.until - first)),
  )
  return times.sort((one, other) => one - other)
}

function answer(thread: SeedComment[], content: string, random: Random): string {
  const answered = random.pick(thread)
  return answered.parentId === null ? content : `@${answered.author.username} ${content}`
}

function mention(
  content: string,
  { members, createdAt }: { members: SeedMember[]; createdAt: number },
  random: Random,
): string {
  if (!random.chance(0.05)) return content
  const friend = pickMember(members, { before: createdAt, favour: 1 }, random)
  return `${content} @${friend.username}`
}

function firstAbove(sums: Float64Array, value: number): number {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}
