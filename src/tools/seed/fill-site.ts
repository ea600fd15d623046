import type { BulkInsert } from '#server/platform/db/bulk-insert.ts'
import type { MediaStore } from '#server/platform/files/media-store.ts'
import { createAccountLife, DEMO_ACCOUNTS } from './account-life.ts'
import { type Clip, giveClip } from './clips.ts'
import { makeComments, shareComments } from './comments.ts'
import { makeMembers, type SeedMember } from './members.ts'
import { createRandom } from './random.ts'
import {
  makeCommentLikes,
  makeDailyViews,
  makeSubscriptions,
  makeVideoLikes,
  type SeedLike,
} from './reactions.ts'
import { createRowInserts, type RowInserts } from './row-inserts.ts'
import { makePublishTimes, makeVideo, type SeedVideo } from './videos.ts'

export type SeedPlan = {
  seed: number
  users: number
  videos: number
  comments: number
  /** Unix milliseconds; nothing is later. */
  until: number
}

type SeedSite = {
  media: MediaStore
  clips: Clip[]
  /** In lower case. */
  taken: Set<string>
  hasAdmin: boolean
  /** Hashes; nobody knows the password of `unknown`. */
  passwords: { demo: string; unknown: string }
  onProgress: (done: { videos: number; comments: number }) => void
}

export type Seeded = {
  accounts: SeedMember[]
  hasNewAdmin: boolean
  comments: number
  likes: number
  subscriptions: number
}

type Filling = {
  plan: SeedPlan
  site: SeedSite
  members: SeedMember[]
  inserts: RowInserts
}

/** All counters match the rows. */
export function fillSite(writer: BulkInsert, plan: SeedPlan, site: SeedSite): Seeded {
  const { until } = plan
  const firstId = writer.nextId('users')
  const members = makeMembers(
    { count: plan.users, firstId, until, taken: site.taken },
    createRandom(plan.seed, 'members'),
  )
  const filling: Filling = { plan, site, members, inserts: createRowInserts(writer) }
  const subscriptions = insertMembers(filling)
  const { comments, likes } = insertVideos(filling, {
    firstVideoId: writer.nextId('videos'),
    firstCommentId: writer.nextId('comments'),
    subscriptions,
  })
  return {
    accounts: members.slice(0, DEMO_ACCOUNTS),
    hasNewAdmin: !site.hasAdmin && members.length > 0,
    comments,
    likes,
    subscriptions: subscriptions.length,
  }
}

function insertMembers({ plan, site, members, inserts }: Filling) {
  const community = { members, until: plan.until }
  const subscriptions = makeSubscriptions(community, createRandom(plan.seed, 'subscriptions'))
  const followers = new Map<SeedMember, number>()
  for (const { channel } of subscriptions) {
    followers.set(channel, (followers.get(channel) ?? 0) + 1)
  }
  for (const [index, member] of members.entries()) {
    inserts.member(member, {
      password: index < DEMO_ACCOUNTS ? site.passwords.demo : site.passwords.unknown,
      subscriberCount: followers.get(member) ?? 0,
      isAdmin: index === 0 && !site.hasAdmin ? 1 : 0,
    })
  }
  for (const subscription of subscriptions) inserts.subscription(subscription)
  return subscriptions
}

type FirstIds = {
  firstVideoId: number
  firstCommentId: number
  subscriptions: ReturnType<typeof insertMembers>
}

function insertVideos(filling: Filling, first: FirstIds): { comments: number; likes: number } {
  const { plan, site, members, inserts } = filling
  const { seed, until } = plan
  const random = createRandom(seed, 'videos')
  const keys = createRandom(seed, `keys from ${first.firstVideoId}`)
  const times = makePublishTimes({ count: plan.videos, until }, createRandom(seed, 'times'))
  const videos = times.map((publishedAt, index) => {
    const clip = site.clips.length > 0 ? random.pick(site.clips) : undefined
    const video = makeVideo(
      { id: first.firstVideoId + index, members, publishedAt, until, duration: clip?.duration },
      random,
    )
    return { video, clip }
  })
  const weights = Float64Array.from(videos, ({ video }) =>
    video.isApproved ? Math.sqrt(video.viewCount + 1) : 0,
  )
  const shares = shareComments(
    { total: plan.comments, weights },
    createRandom(seed, 'comment shares'),
  )
  const reactions = createReactions(filling)
  const life = createAccountLife({ members, until }, createRandom(seed, 'accounts'))
  let nextCommentId = first.firstCommentId
  for (const [index, { video, clip }] of videos.entries()) {
    const mediaKey = keys.hex(16)
    const files = clip && giveClip(clip, { media: site.media, mediaKey })
    const comments = reactions.addVideo(video, {
      mediaKey,
      files,
      clip,
      comments: { count: shares[index] as number, firstId: nextCommentId },
    })
    nextCommentId += comments.length
    life.note(video, comments)
    const done = { videos: index + 1, comments: nextCommentId - first.firstCommentId }
    if (done.videos % 5000 === 0) site.onProgress(done)
  }
  life.insert(inserts, first.subscriptions)
  return { comments: nextCommentId - first.firstCommentId, likes: reactions.likes() }
}

function createReactions({ plan, members, inserts }: Filling) {
  const { seed, until } = plan
  const community = { members, until }
  const commentRandom = createRandom(seed, 'comments')
  const likeRandom = createRandom(seed, 'likes')
  const viewRandom = createRandom(seed, 'views')
  let count = 0
  const insertLikes = (likes: SeedLike[], target: { videoId: number } | { commentId: number }) => {
    for (const like of likes) inserts.like(like, target)
    count += likes.length
  }

  return {
    likes: () => count,
    addVideo(
      video: SeedVideo,
      input: {
        mediaKey: string
        files: ReturnType<typeof giveClip> | undefined
        clip: Clip | undefined
        comments: { count: number; firstId: number }
      },
    ) {
      const likes = makeVideoLikes(video, community, likeRandom)
      inserts.video(video, { ...input, likes })
      insertLikes(likes, { videoId: video.id })
      for (const { day, count: views } of makeDailyViews(video, until, viewRandom)) {
        inserts.dailyViews({ day, videoId: video.id, count: views })
      }
      const comments = makeComments({ video, members, until, ...input.comments }, commentRandom)
      for (const comment of comments) {
        const opinions = makeCommentLikes(comment, community, likeRandom)
        inserts.comment(comment, { videoId: video.id, likes: opinions })
        insertLikes(opinions, { commentId: comment.id })
      }
      return comments
    },
  }
}
