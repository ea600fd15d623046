import type { SeedMember } from './members.ts'
import type { Random } from './random.ts'
import type { SeedVideo } from './videos.ts'

export type SeedLike = { member: SeedMember; isLike: 0 | 1; createdAt: number }
export type SeedSubscription = { subscriber: SeedMember; channel: SeedMember; createdAt: number }

const DAY_MS = 86_400_000
const DISLIKE_SHARE = 0.06
const COUNTED_DAYS = 14

type Community = { members: SeedMember[]; until: number }

export function makeVideoLikes(
  video: SeedVideo,
  { members, until }: Community,
  random: Random,
): SeedLike[] {
  const wanted = Math.floor(video.viewCount * (0.01 + random.fraction() * 0.08))
  const most = Math.floor(members.length * 0.6)
  const raters = pickOthers(members, { count: Math.min(wanted, most), not: video.owner }, random)
  return raters.map((member) => like({ member, after: video.publishedAt, until }, random))
}

export function makeCommentLikes(
  comment: { author: SeedMember; createdAt: number },
  { members, until }: Community,
  random: Random,
): SeedLike[] {
  if (!random.chance(0.25)) return []
  const wanted = 1 + Math.floor(random.fraction() ** 5 * 10)
  const raters = pickOthers(members, { count: wanted, not: comment.author }, random)
  return raters.map((member) => like({ member, after: comment.createdAt, until }, random))
}

/** Early members have the most followers. */
export function makeSubscriptions(
  { members, until }: Community,
  random: Random,
): SeedSubscription[] {
  const most = Math.min(40, members.length - 1)
  return members.flatMap((subscriber) => {
    const channels = new Set<SeedMember>()
    const wanted = Math.floor(random.fraction() ** 2 * (most + 1))
    for (let attempt = 0; attempt < wanted * 2 && channels.size < wanted; attempt++) {
      const index = Math.floor(random.fraction() ** 2.2 * members.length)
      const channel = members[index] as SeedMember
      if (channel !== subscriber) channels.add(channel)
    }
    return [...channels].map((channel) => {
      const possible = Math.max(subscriber.joinedAt, channel.joinedAt)
      const createdAt = Math.floor(possible + random.fraction() * (until - possible))
      return { subscriber, channel, createdAt }
    })
  })
}

/** The last two weeks, at most the video's total. */
export function makeDailyViews(
  video: SeedVideo,
  until: number,
  random: Random,
): { day: string; count: number }[] {
  const ageDays = Math.max(1, Math.ceil((until - video.publishedAt) / DAY_MS))
  const isNew = ageDays <= COUNTED_DAYS
  let left = isNew ? video.viewCount : Math.floor(video.viewCount * 0.03 * random.fraction())
  const days: { day: string; count: number }[] = []
  for (let back = Math.min(ageDays, COUNTED_DAYS); back > 0 && left > 0; back--) {
    const count = Math.min(left, Math.ceil(left * (0.2 + random.fraction() * 0.4)))
    const day = new Date(until - back * DAY_MS).toISOString().slice(0, 10)
    days.push({ day, count })
    left -= count
  }
  return days
}

function pickOthers(
  members: SeedMember[],
  input: { count: number; not: SeedMember },
  random: Random,
): SeedMember[] {
  return random
    .distinct(Math.min(input.count, members.length), members.length)
    .map((index) => members[index] as SeedMember)
    .filter((member) => member !== input.not)
}

function like(
  input: { member: SeedMember; after: number; until: number },
  random: Random,
): SeedLike {
  const { member, until } = input
  const possible = Math.min(until, Math.max(input.after, member.joinedAt))
  const createdAt = Math.floor(possible + random.fraction() ** 3 * (until - possible))
  return { member, isLike: random.chance(DISLIKE_SHARE) ? 0 : 1, createdAt }
}
