import type { Database } from '#server/platform/db/database.ts'
import { REACTION_KINDS } from '#shared/reactions.ts'
import type { SeedMember } from '#tools/seed/members.ts'
import { createRandom, type Random } from '#tools/seed/random.ts'
import { stamp } from '#tools/seed/row-inserts.ts'
import type { SeedVideo } from '#tools/seed/videos.ts'
import type { Community } from './life.ts'
import { type createMembersCalls, unlessRefused } from './live-site.ts'
import {
  ANSWERS,
  CAPTION_LINES,
  CLIP_TITLES,
  LATER_POSTS,
  POSTS,
  REPORTS,
  SQUADS,
} from './words.ts'

export type Calls = ReturnType<typeof createMembersCalls>
export type Company = {
  calls: Calls
  db: Database
  community: Community
  /** Uploaded videos, newest first. */
  videos: SeedVideo[]
  signal: AbortSignal
}

const HOUR_MS = 3_600_000
const CLIPS = 25
const CHAPTERED = 6
const CAPTIONED = 4
const PLAYED_WITH = 14
const SQUAD_VIDEOS = 3
const MONTAGE_CLIPS = 5
/** Maximum length of a clip. */
const CLIP_SECONDS = 8

/** Adds what members do with the videos and with each other, through the site's API. */
export async function keepCompany(company: Company): Promise<void> {
  const random = createRandom(company.community.seed, 'company')
  const shown = company.videos.filter(({ isApproved }) => isApproved)
  for (const act of [
    chapterLongest,
    addCaptions,
    namePlayers,
    react,
    makeClips,
    writePosts,
    reportSome,
    // Runs last, because members outside of a squad cannot use its videos.
    gatherSquads,
  ]) {
    company.signal.throwIfAborted()
    await act({ ...company, videos: shown }, random)
  }
}

/** Creates two squads with a few videos each. */
async function gatherSquads({ calls, community, videos }: Company, random: Random): Promise<void> {
  const { members } = community
  // Half of the videos of a small demo stay public.
  let left = Math.floor(videos.length / 2)
  for (const [index, squad] of SQUADS.entries()) {
    const half = members.filter((_, at) => at % SQUADS.length === index)
    const [owner, ...others] = half
    if (!owner) return
    const made = await unlessRefused(calls.ask<{ id: number }>(owner, 'squad.create', squad))
    if (!made) continue
    const { id } = made
    for (const member of others) await unlessRefused(calls.ask(member, 'squad.join', { id }))
    const own = videos.filter((video) => half.includes(video.owner) && !video.isAnonymous)
    for (const at of random.distinct(Math.min(SQUAD_VIDEOS, left), own.length)) {
      const video = own[at]
      if (!video) continue
      left--
      await unlessRefused(calls.ask(video.owner, 'video.edit', { id: video.id, squadId: id }))
    }
  }
}

async function chapterLongest({ calls, videos }: Company): Promise<void> {
  const longest = videos.toSorted((a, b) => b.duration - a.duration).slice(0, CHAPTERED)
  for (const { id, owner, duration, description } of longest) {
    const at = (share: number) => `0:${String(Math.floor(duration * share)).padStart(2, '0')}`
    const chapters = ['0:00 The way in', `${at(0.3)} First contact`, `${at(0.65)} The clutch`]
    const longer = `${description}\n\n${chapters.join('\n')}`
    await unlessRefused(calls.ask(owner, 'video.edit', { id, description: longer }))
  }
}

async function addCaptions({ calls, videos }: Company, random: Random): Promise<void> {
  for (const at of random.distinct(CAPTIONED, videos.length)) {
    const video = videos[at]
    if (!video) continue
    const seconds = video.duration / CAPTION_LINES.length
    const clock = (time: number) => `00:00:${time.toFixed(3).padStart(6, '0')}`
    const cues = CAPTION_LINES.map(
      (line, index) => `${clock(index * seconds)} --> ${clock((index + 0.9) * seconds)}\n${line}`,
    )
    const vtt = `WEBVTT\n\n${cues.join('\n\n')}\n`
    await unlessRefused(calls.uploadCaptions(video, vtt))
  }
}

async function namePlayers(company: Company, random: Random): Promise<void> {
  const { calls, community, videos } = company
  for (const at of random.distinct(PLAYED_WITH, videos.length)) {
    const video = videos[at]
    if (!video || video.isAnonymous) continue
    const others = community.members.filter((member) => member !== video.owner)
    for (const index of random.distinct(random.integer(1, 3), others.length)) {
      const name = { videoId: video.id, userId: others[index]?.id }
      await unlessRefused(calls.ask(video.owner, 'participant.add', name))
    }
  }
}

/** Adds reactions, most of them around one moment of each video. */
async function react({ calls, community, videos }: Company, random: Random): Promise<void> {
  for (const video of videos) {
    const best = 0.45 + 0.35 * random.fraction()
    const favourite = random.integer(0, REACTION_KINDS.length - 1)
    for (const member of community.members) {
      if (member === video.owner || random.chance(0.55)) continue
      const near = best + 0.06 * random.gaussian()
      const second = Math.max(0, Math.min(video.duration - 1, Math.round(near * video.duration)))
      const other = random.integer(0, REACTION_KINDS.length - 1)
      const kind = REACTION_KINDS[random.chance(0.6) ? favourite : other]
      await unlessRefused(calls.ask(member, 'reaction.react', { id: video.id, second, kind }))
    }
  }
}

/**
 * Makes clips, which some members like. The first clips, of one member's videos, become a montage.
 */
async function makeClips(company: Company, random: Random): Promise<void> {
  const { calls, db, community, videos } = company
  const made: { id: number; member: SeedMember; isForMontage: boolean }[] = []
  for (let index = 0; index < CLIPS; index++) {
    company.signal.throwIfAborted()
    // A montage needs clips of the member's own videos.
    const isForMontage = index < MONTAGE_CLIPS
    const among = isForMontage ? videos.filter(({ owner }) => owner === videos[0]?.owner) : videos
    const video = among[Math.floor(random.fraction() ** 2 * among.length)]
    if (!video) return
    const member = isForMontage ? video.owner : random.pick(community.members)
    const length = Math.min(CLIP_SECONDS, video.duration - 1)
    const start = Math.floor((video.duration - length) * random.fraction())
    const clip = {
      ...{ videoId: video.id, title: CLIP_TITLES[index % CLIP_TITLES.length] },
      ...{ startSeconds: start, endSeconds: start + length },
    }
    const created = await unlessRefused(calls.ask<{ id: number }>(member, 'clip.create', clip))
    if (!created) continue
    const { id } = created
    made.push({ id, member, isForMontage })
    const createdAt = stamp(Math.max(video.publishedAt, community.until - index * 5 * HOUR_MS))
    const viewCount = Math.ceil(video.viewCount * (0.1 + 0.6 * random.fraction()))
    await db.updateTable('clips').set({ createdAt, viewCount }).where('id', '=', id).execute()
    for (const fan of community.members) {
      if (fan !== member && random.chance(0.3)) {
        await unlessRefused(calls.ask(fan, 'clip.like', { id, isLiked: true }))
      }
    }
  }
  const own = made.filter(({ isForMontage }) => isForMontage)
  const [first] = own
  if (!first) return
  await unlessRefused(
    calls.ask(first.member, 'montage.start', {
      title: 'Best of the week',
      items: own.map(({ id }) => ({ clipId: id })),
      ...{ transition: 'fade', titleCard: true },
    }),
  )
}

/** Writes posts with a short thread of comments each. */
async function writePosts(company: Company, random: Random): Promise<void> {
  const { calls, db, community, videos } = company
  for (const [index, content] of POSTS.entries()) {
    const author = community.members[(index * 2) % community.members.length]
    if (!author) return
    // A post can only show a video of its own channel.
    const own = videos.find(({ owner, isAnonymous }) => owner === author && !isAnonymous)
    const videoId = index % 3 === 0 ? own?.id : undefined
    const post = await unlessRefused(
      calls.ask<{ id: number }>(author, 'post.create', { content, videoId }),
    )
    if (!post) continue
    const writtenAt = community.until - (POSTS.length - index) * 9 * HOUR_MS
    await db
      .updateTable('posts')
      .set({ createdAt: stamp(writtenAt) })
      .where('id', '=', post.id)
      .execute()
    const others = community.members.filter((member) => member !== author)
    let parentId: number | undefined
    for (const turn of random.distinct(3, ANSWERS.length)) {
      const comment = { postId: post.id, content: ANSWERS[turn], parentId }
      const written = await unlessRefused(
        calls.ask<{ id: number }>(random.pick(others), 'comment.create', comment),
      )
      parentId ??= written?.id
    }
  }
}

/** Adds entries to the admin's list of reports. */
async function reportSome({ calls, community, videos }: Company, random: Random): Promise<void> {
  for (const [index, reason] of REPORTS.entries()) {
    const video = random.pick(videos)
    if (!video) return
    const others = community.members.filter((member) => member !== video.owner)
    const reporter = others[(index + 2) % others.length]
    if (!reporter) return
    await unlessRefused(calls.ask(reporter, 'report.create', { videoId: video.id, reason }))
  }
}

/** How many actions are tried until one changes something. */
const TRIES = 50

/**
 * Performs a random action as one member.
 * @returns false if nothing can be done, such as after all videos were deleted
 */
export async function doSomething(company: Company, random: Random): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    company.signal.throwIfAborted()
    if (await trySomething(company, random)) return true
  }
  return false
}

/** @returns whether the action changed something */
async function trySomething(company: Company, random: Random): Promise<boolean> {
  const { calls, db, community } = company
  const videos = company.videos.filter(({ isApproved }) => isApproved)
  const member = random.pick(community.members)
  const video = videos[Math.floor(random.fraction() ** 2 * videos.length)]
  if (!video || video.owner === member) return false
  const { id, duration } = video
  const place = { videoId: id, userId: member.id }
  const acts: (() => Promise<boolean>)[] = [
    async () => {
      const content = random.pick(ANSWERS)
      const same = await db
        .selectFrom('comments')
        .select('id')
        .where('videoId', '=', id)
        .where('content', '=', content)
        .executeTakeFirst()
      return (
        !same && (await succeeds(calls.ask(member, 'comment.create', { videoId: id, content })))
      )
    },
    async () => {
      const liked = await db
        .selectFrom('likes')
        .select('id')
        .where((row) => row.and(place))
        .executeTakeFirst()
      return (
        !liked && (await succeeds(calls.ask(member, 'like.set', { videoId: id, isLike: true })))
      )
    },
    async () => {
      const second = Math.floor(random.fraction() * duration)
      const kind = random.pick(REACTION_KINDS)
      const reacted = await db
        .selectFrom('videoReactions')
        .select('second')
        .where((row) => row.and({ ...place, second }))
        .executeTakeFirst()
      return !reacted && (await succeeds(calls.ask(member, 'reaction.react', { id, second, kind })))
    },
    async () => {
      const content = random.pick(LATER_POSTS)
      const same = await db
        .selectFrom('posts')
        .select('id')
        .where('content', '=', content)
        .executeTakeFirst()
      return !same && (await succeeds(calls.ask(member, 'post.create', { content })))
    },
    () =>
      succeeds(
        calls.ask(member, 'clip.create', {
          ...{ videoId: id, title: random.pick(CLIP_TITLES) },
          ...{ startSeconds: 0, endSeconds: Math.min(CLIP_SECONDS, duration) },
        }),
      ),
  ]
  return random.pick(acts)()
}

async function succeeds(call: Promise<unknown>): Promise<boolean> {
  return (await unlessRefused(call)) !== undefined
}
