import { type BuiltInCategory, DESCRIPTION_MAX, TITLE_MAX } from '#shared/limits.ts'
import { formatDuration } from '#shared/text/format.ts'
import { GAMES } from './games.ts'
import { pickGame, type SeedMember } from './members.ts'
import { chapterOf, openingOf, titleOf } from './phrases.ts'
import type { Random } from './random.ts'

export type SeedVideo = {
  id: number
  owner: SeedMember
  title: string
  description: string
  category: BuiltInCategory
  tags: string[]
  /** Seconds. */
  duration: number
  /** Unix milliseconds. */
  publishedAt: number
  viewCount: number
  isApproved: boolean
  isAnonymous: boolean
  discordEmbed: boolean
}

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS

/** Within the year before `until`, increasing in frequency. */
export function makePublishTimes(
  input: { count: number; until: number },
  random: Random,
): number[] {
  return Array.from({ length: input.count }, () => publishTime(input.until, random)).sort(
    (one, other) => one - other,
  )
}

/** @param input.members in the order in which they joined */
export function makeVideo(
  input: {
    id: number
    members: SeedMember[]
    publishedAt: number
    until: number
    duration?: number
  },
  random: Random,
): SeedVideo {
  const { id, members, publishedAt, until } = input
  const owner = pickMember(members, { before: publishedAt, favour: 2.5 }, random)
  const category = random.chance(0.7) ? owner.game : pickGame(random)
  const game = GAMES[category]
  const duration = input.duration ?? pickDuration(random)
  const tags = random.distinct(random.integer(0, 6), game.tags.length)
  const isApproved = !random.chance(0.004)
  const chosenTags = tags.map((index) => game.tags[index] as string)
  return {
    id,
    owner,
    title: titleOf(game, random).slice(0, TITLE_MAX),
    description: describe({ category, duration, tags: chosenTags, owner }, random),
    category,
    tags: chosenTags,
    duration,
    publishedAt,
    viewCount: isApproved ? pickViews((until - publishedAt) / DAY_MS, random) : 0,
    isApproved,
    isAnonymous: random.chance(0.03),
    discordEmbed: !random.chance(0.1),
  }
}

/** Chooses among those who had joined; a higher `favour` prefers early members. */
export function pickMember(
  members: SeedMember[],
  input: { before: number; favour: number },
  random: Random,
): SeedMember {
  const joined = countJoined(members, input.before)
  return members[Math.floor(joined * random.fraction() ** input.favour)] as SeedMember
}

/** At least 1. */
function countJoined(members: SeedMember[], time: number): number {
  let [low, high] = [1, members.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((members[middle - 1] as SeedMember).joinedAt <= time) low = middle
    else high = middle - 1
  }
  return low
}

/** Evenings are busier than mornings. */
function publishTime(until: number, random: Random): number {
  const day = Math.floor((until - random.fraction() ** 1.4 * YEAR_MS) / DAY_MS) * DAY_MS
  const hour = Math.min(23.99, Math.max(0, 19 + random.gaussian() * 3.5))
  const time = Math.floor(day + hour * 3_600_000 + random.integer(0, 59_999))
  return Math.min(Math.max(time, until - YEAR_MS), until - random.integer(60_000, 3_600_000))
}

/** Mostly half a minute, sometimes an evening. */
function pickDuration(random: Random): number {
  const seconds = Math.exp(3.7 + random.gaussian() * 1.1)
  return Math.round(Math.min(4 * 3600, Math.max(4, seconds)))
}

/** Most have few views, some very many; new ones have fewer. */
function pickViews(ageDays: number, random: Random): number {
  const foundBy = 1 - Math.exp(-(ageDays + 1) / 5)
  return Math.floor(Math.exp(3.6 + random.gaussian() * 1.8) * foundBy)
}

function describe(
  video: { category: BuiltInCategory; duration: number; tags: string[]; owner: SeedMember },
  random: Random,
): string {
  if (random.chance(0.15)) return ''
  const game = GAMES[video.category]
  const openings = Array.from({ length: random.integer(1, 2) }, () => openingOf(game, random))
  const parts = [[...new Set(openings)].join(' ')]
  if (video.duration > 90 && random.chance(0.6)) parts.push(chaptersOf(video, random))
  if (random.chance(0.35)) parts.push(linksOf(video.owner, random))
  if (video.tags.length > 0 && random.chance(0.6)) {
    parts.push(video.tags.map((tag) => `#${tag}`).join(' '))
  }
  return parts.join('\n\n').slice(0, DESCRIPTION_MAX)
}

function chaptersOf(
  { category, duration }: { category: BuiltInCategory; duration: number },
  random: Random,
): string {
  const count = random.integer(3, 6)
  const starts = Array.from({ length: count }, (_, index) =>
    Math.floor(((index + random.fraction() * 0.6) * duration) / count),
  )
  return starts
    .map((start, index) => {
      const name = chapterOf(GAMES[category], random)
      return `${formatDuration(index === 0 ? 0 : start)} ${name}`
    })
    .join('\n')
}

function linksOf(owner: SeedMember, random: Random): string {
  const links = [
    `Settings: https://example.org/${owner.username}/settings`,
    `Discord: https://chat.example.com/invite/${random.hex(4)}`,
    `Full recording: https://example.net/watch?v=${random.hex(5)}`,
    `Map and timings (https://example.org/maps/${random.integer(1, 400)}).`,
  ]
  return random
    .distinct(random.integer(1, 2), links.length)
    .map((index) => links[index])
    .join('\n')
}
