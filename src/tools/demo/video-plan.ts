import { GAMES } from '#tools/seed/games.ts'
import type { SeedMember } from '#tools/seed/members.ts'
import { openingOf } from '#tools/seed/phrases.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'
import type { SeedVideo } from '#tools/seed/videos.ts'
import type { Community } from './life.ts'
import { drawScene } from './recording/scenes.ts'
import { makeSounds } from './recording/sounds.ts'
import type { Recording } from './recording/write-recording.ts'
import { TITLES, type Titled } from './titles.ts'

export type PlannedVideo = Omit<SeedVideo, 'id'> & { recording: Recording }

const DAY_MS = 86_400_000
const AGE_DAYS = 44
const FRAME_RATE = 30
/** The first videos are short and quick to draw, so that a new site soon has some. */
const FIRST_VIDEOS = 4
const FIRST_SECONDS = 5
/** Index of the video with this property; a waiting video is made last. */
const PORTRAIT_AT = 12
const TRACKS_AT = 8
const ANONYMOUS_AT = 17

/** Number of videos that wait for approval, in a demo with at least `ENOUGH` videos. */
const WAITING = 3
const ENOUGH = 20

/** One in so many videos is published later, while the demo runs. */
const LATER_ONE_IN = 10

/** Each video needs its own title. */
export const VIDEOS_MAX = TITLES.length

/** Returns the latest video first; the last ones wait for approval. */
export function planVideos(
  count: number,
  { seed, members, until }: Pick<Community, 'seed' | 'members' | 'until'>,
): PlannedVideo[] {
  const firstWaiting = count - (count >= ENOUGH ? WAITING : 1)
  return TITLES.slice(0, count).map((titled, index) => {
    const random = createRandom(seed, `video ${index}`)
    const waits = index >= firstWaiting
    const days = waits ? 0.02 : 0.03 + AGE_DAYS * (index / count) ** 1.5
    const duration = index < FIRST_VIDEOS ? FIRST_SECONDS + index : pickSeconds(random)
    const { category, title } = titled
    const game = GAMES[category]
    const tags = random.distinct(random.integer(2, 4), game.tags.length)
    const owner = pickOwner(members, { category, waits }, random)
    return {
      ...{ category, title, duration, owner },
      description: describe(titled, random),
      tags: tags.map((tag) => game.tags[tag] as string),
      publishedAt: Math.floor(until - (days + random.fraction() * 0.02) * DAY_MS),
      viewCount: waits ? 0 : pickViews(days, random),
      isApproved: !waits,
      isAnonymous: index === ANONYMOUS_AT,
      discordEmbed: true,
      recording: record({ titled, index, seconds: duration }, random),
    }
  })
}

/** Divides planned videos into those at the start and those that are published one by one later. */
export function holdBack(videos: PlannedVideo[]) {
  const count = Math.floor(videos.length / LATER_ONE_IN)
  const shown = videos.filter(({ isApproved }) => isApproved)
  const later = shown.slice(shown.length - count)
  return { now: videos.filter((video) => !later.includes(video)), later }
}

function record(
  input: { titled: Titled; index: number; seconds: number },
  random: Random,
): Recording {
  const { titled, index, seconds } = input
  const { scene, hue } = titled
  const picture = drawScene({ scene, hue, seconds, frameRate: FRAME_RATE }, random)
  return {
    picture: index === PORTRAIT_AT ? `${picture},crop=406:720,scale=720:1280` : picture,
    frameRate: FRAME_RATE,
    sounds: makeSounds({ seconds, hasTracks: index === TRACKS_AT }, random),
  }
}

/** Mostly members who play the game; a video that waits for approval is a newcomer's. */
function pickOwner(
  members: SeedMember[],
  { category, waits }: { category: string; waits: boolean },
  random: Random,
): SeedMember {
  const players = members.filter(({ game }) => game === category)
  if (waits) return members.at(-1) as SeedMember
  return random.pick(players.length > 0 && random.chance(0.6) ? players : members)
}

function pickSeconds(random: Random): number {
  return 6 + Math.round(54 * random.fraction() ** 5)
}

function pickViews(ageDays: number, random: Random): number {
  const found = 1 - Math.exp(-(ageDays + 0.3) / 4)
  return 9 + Math.floor(Math.exp(5.3 + random.gaussian()) * found)
}

function describe({ category }: Titled, random: Random): string {
  const game = GAMES[category]
  const openings = [
    openingOf(game, random),
    ...(random.chance(0.3) ? [openingOf(game, random)] : []),
  ]
  return [...new Set(openings)].join('\n\n')
}
