import type { Context } from '#server/platform/context.ts'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { writeInPassing } from '#server/platform/db/move/writable.ts'
import { listGameLooks } from '#server/platform/site/game-look.queries.ts'
import { requireCategory } from '#server/platform/site/site.service.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { listClipsById } from '#server/video/clip/clip-lists.queries.ts'
import { audienceOf } from '#server/video/video/video.access.ts'
import { listVideosById } from '#server/video/video/video.queries.ts'
import { DEFAULT_CATEGORY, QUIET_VIDEOS } from '#shared/limits.ts'
import { playerPosterOf } from '#shared/poster.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type {
  GamePage,
  HomeShelves,
  SuggestedChannel,
  Tonight,
  Visit,
} from '#shared/schemas/home.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { rankForViewer } from '../ranking/rank-for-viewer.ts'
import type { RankingQuery } from '../ranking/ranking.queries.ts'
import {
  countShownIn,
  findSmallestFile,
  findVisit,
  followsAnybody,
  insertVisit,
  listChannelsOf,
  listNamedIn,
  listNewestIds,
  listPostedIn,
  listPostedSince,
  listShownOf,
  type Posted,
  updateVisit,
} from './home.queries.ts'

/** The top of the page may show one of them, which the shelf then leaves out. */
const LOVED_VIDEOS = 13
const GAMES = 2
const VIDEOS_OF_GAME = 8
/** A game with fewer trending videos gets no shelf. */
const FEWEST_OF_GAME = 4
const TOP_CLIPS = 3
/** A clip with so many points is shown whatever videos there are. */
const ENOUGH_POINTS = 10
/** Another clip is shown unless the best video has more than this many times its points. */
const CLIP_FACTOR = 3
/** How much of a video plays automatically at the top of the page. */
const SAMPLE_SECONDS = 30
const FACES = 5
const SUGGESTED = 8
/** How many of the ranked are looked up, because the viewer may not see some of them. */
const BEST = 20
/** How many of the best and of the newest videos are searched for a picture of the game. */
const PICTURED = 6
const MINUTE_MS = 60_000
/** A member who was away longer begins another visit. */
const BREAK_MS = 30 * MINUTE_MS
/** How late `seenAt` may be. */
const SEEN_MS = 5 * MINUTE_MS

type Asking = Pick<Context, 'db' | 'rankings' | 'viewer'>

/**
 * Picks from the shared rankings what the viewer sees. It plays in a loop without asking whether
 * the viewer may still see it, so it is never for a squad. See
 * docs/decisions/0075-what-home-begins-with.md.
 */
export async function readTonight(asking: Asking): Promise<Tonight | null> {
  const { db } = asking
  const clip = await findBestClip(asking)
  const points = clip ? pointsOf(clip) : 0
  const best = clip && points >= ENOUGH_POINTS ? undefined : await findBestVideo(asking)
  if (clip && (!best || points * CLIP_FACTOR >= pointsOf(best.video))) {
    return { kind: 'clip', clip, file: await fileOfClip(db, clip) }
  }
  return best ? { kind: 'video', ...best, file: await fileOfVideo(db, best.video) } : null
}

/** The points that clips are ranked by. */
function pointsOf({ likeCount, viewCount }: { likeCount: number; viewCount: number }): number {
  return likeCount * 5 + viewCount
}

async function rankBest({ rankings, viewer }: Asking, by: RankingQuery['by']): Promise<number[]> {
  const ranked = await rankings.rank({ by, audience: audienceOf(viewer) })
  return ranked.slice(0, BEST).map(({ id }) => id)
}

async function findBestClip(asking: Asking): Promise<Clip | undefined> {
  const { db, viewer } = asking
  const ids = await rankBest(asking, 'clips')
  const [clip] = await listClipsById(db, { ids, viewer, withoutSquads: true, limit: 1 })
  return clip
}

/** Returns the video that is loved most, else the one that trends, else the newest of a quiet site. */
async function findBestVideo(asking: Asking) {
  const { db, viewer } = asking
  const lovedIds = await rankBest(asking, 'loved')
  const ids = lovedIds.length > 0 ? lovedIds : await rankBest(asking, 'trending')
  const [best] = await listShownOf(db, { ids, viewer, withoutSquads: true })
  const newest = best ? [] : await listNewestIds(db, { viewer, count: QUIET_VIDEOS })
  const id = best?.id ?? (newest.length < QUIET_VIDEOS ? newest[0] : undefined)
  const [video] = id === undefined ? [] : await listVideosById(db, { ids: [id], viewer })
  return video && { isNewest: !best, video }
}

/** Reads the shelves below the top of the home page. */
export async function readHomeShelves(asking: Asking): Promise<HomeShelves> {
  const { db, viewer } = asking
  const [lovedIds, trendingIds] = await Promise.all([
    rankForViewer(asking, { by: 'loved' }),
    rankForViewer(asking, { by: 'trending' }),
  ])
  const shown = await listShownOf(db, { ids: [...new Set([...lovedIds, ...trendingIds])], viewer })
  const games = toGames(shown, { trendingIds })
  const isLoved = new Set(lovedIds)
  const loved = shown.flatMap(({ id }) => (isLoved.has(id) ? [id] : [])).slice(0, LOVED_VIDEOS)
  const ids = new Set([...loved, ...games.flatMap((game) => game.ids)])
  const videos = await listVideosById(db, { ids: [...ids], viewer })
  const videoOf = new Map(videos.map((video) => [video.id, video]))
  const toVideos = (ids: number[]) =>
    ids.map((id) => videoOf.get(id)).filter((video) => video !== undefined)
  return {
    loved: toVideos(loved),
    games: games.map(({ name, ids }) => ({ name, videos: toVideos(ids) })),
  }
}

/** For what nobody has asked for. The client has a smaller limit for phones. */
const PREVIEW_BYTES_MAX = 8_000_000

async function fileOfClip(db: Database, clip: Clip): Promise<Tonight['file']> {
  const { id: clipId, startSeconds, endSeconds } = clip
  const found = await findSmallestFile(db, { id: clip.videoId, clipId })
  if (!found) return null
  const { isClip, ...file } = found
  const seconds = endSeconds - startSeconds
  return isClip
    ? ifLoadable({ ...file, startSeconds: 0, endSeconds: seconds })
    : ifLoadable({ ...file, startSeconds, endSeconds })
}

async function fileOfVideo(db: Database, { id, duration }: Video): Promise<Tonight['file']> {
  const found = await findSmallestFile(db, { id })
  if (!found) return null
  const { url, bytes } = found
  const endSeconds = Math.min(duration, SAMPLE_SECONDS)
  return ifLoadable({ url, bytes, startSeconds: 0, endSeconds })
}

/** Null if the file is too large to load without being asked for. */
function ifLoadable(file: NonNullable<Tonight['file']>): Tonight['file'] {
  return file.bytes <= PREVIEW_BYTES_MAX ? file : null
}

/** Returns the games with the most trending videos. */
function toGames(
  shown: { id: number; category: string }[],
  { trendingIds }: { trendingIds: number[] },
) {
  const placeOf = new Map(trendingIds.map((id, place) => [id, place]))
  const trending = shown
    .filter(({ id, category }) => placeOf.has(id) && category !== DEFAULT_CATEGORY)
    .sort((one, other) => (placeOf.get(one.id) ?? 0) - (placeOf.get(other.id) ?? 0))
  const byName = Map.groupBy(trending, ({ category }) => category)
  return [...byName]
    .filter(([, videos]) => videos.length >= FEWEST_OF_GAME)
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, GAMES)
    .map(([name, videos]) => ({ name, ids: videos.slice(0, VIDEOS_OF_GAME).map(({ id }) => id) }))
}

/**
 * Notes that the member is here. Returns null during the first visit and if nothing is new. See
 * docs/decisions/0075-what-home-begins-with.md.
 */
export async function readVisit(
  db: Database,
  { viewer }: { viewer: Viewer },
): Promise<Visit | null> {
  const since = await visitBefore(db, viewer.id)
  if (since === null) return null
  const posted = await listPostedSince(db, { viewer, since })
  if (posted.length === 0) return null
  const userIds = namedOwners(posted)
  const people = await listChannelsOf(db, userIds.slice(0, FACES))
  return { since, people, peopleCount: userIds.length }
}

/** Returns when the visit before ended. */
async function visitBefore(db: Database, userId: number): Promise<string | null> {
  const now = new Date()
  const visit = await findVisit(db, userId)
  if (!visit) {
    await writeInPassing(db, (transaction) =>
      insertVisit(transaction, { userId, now: timestamp(now) }),
    )
    return null
  }
  const { seenAt, previousAt } = visit
  const awayMs = now.getTime() - Date.parse(seenAt)
  if (awayMs < SEEN_MS) return previousAt
  const isNew = awayMs >= BREAK_MS
  const seen = { seenAt: timestamp(now) }
  const change = isNew ? { ...seen, startedAt: timestamp(now), previousAt: seenAt } : seen
  await writeInPassing(db, (transaction) =>
    updateVisit(transaction, { userId, before: seenAt, change }),
  )
  return isNew ? seenAt : previousAt
}

/** Suggests the members who posted last to a viewer who follows nobody. Other viewers get an empty list. */
export async function readPeople(
  db: Database,
  { viewer }: { viewer: Viewer },
): Promise<SuggestedChannel[]> {
  if (await followsAnybody(db, viewer.id)) return []
  const posted = await listPostedSince(db, { viewer, since: '' })
  return listChannelsOf(db, namedOwners(posted).slice(0, SUGGESTED))
}

/** @throws `invalid` for an unknown category */
export async function readGamePage(
  asking: Asking,
  { category }: { category: string },
): Promise<GamePage> {
  const { db, viewer } = asking
  await requireCategory(db, category)
  const [clipIds, trendingIds] = await Promise.all([
    rankForViewer(asking, { by: 'clips', category }),
    // The ranking of the whole site is kept in memory already.
    rankForViewer(asking, { by: 'trending' }),
  ])
  const [looks, counts, posted, clips] = await Promise.all([
    listGameLooks(db),
    countShownIn(db, { categories: [category], viewer }),
    listPostedIn(db, { category, viewer }),
    listClipsById(db, { ids: clipIds.slice(0, 4 * TOP_CLIPS), viewer, limit: TOP_CLIPS }),
  ])
  const look = looks.find((one) => one.category === category)
  const trending = look?.artUrl ? [] : await listShownOf(db, { ids: trendingIds, viewer })
  const best = trending.filter((video) => video.category === category).slice(0, PICTURED)
  const ids = [...best, ...posted.slice(0, PICTURED)].map(({ id }) => id)
  const pictured = look?.artUrl ? [] : await listVideosById(db, { ids, viewer })
  const poster = pictured.map(playerPosterOf).find((url) => url !== null)
  const userIds = await playersOf(db, posted)
  return {
    name: category,
    isArchived: look?.isArchived ?? false,
    picture: look?.artUrl
      ? { url: look.artUrl, isArt: true }
      : poster
        ? { url: poster, isArt: false }
        : null,
    videoCount: counts.get(category) ?? 0,
    clips,
    people: await listChannelsOf(db, userIds.slice(0, FACES)),
    peopleCount: userIds.length,
  }
}

/** Returns owners and those who played along, in the order of the videos. */
async function playersOf(db: Database, videos: Posted[]): Promise<number[]> {
  const named = await listNamedIn(
    db,
    videos.map(({ id }) => id),
  )
  const namedIn = Map.groupBy(named, ({ videoId }) => videoId)
  const players = videos.flatMap((video) => [
    ...namedOwners([video]),
    ...(namedIn.get(video.id) ?? []).map(({ userId }) => userId),
  ])
  return [...new Set(players)]
}

function namedOwners(videos: Posted[]): number[] {
  return [...new Set(videos.flatMap(({ userId, isAnonymous }) => (isAnonymous ? [] : [userId])))]
}
