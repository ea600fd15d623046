import { groupOf } from '#server/community/notification/group.ts'
import type { SeedComment } from './comments.ts'
import type { SeedMember } from './members.ts'
import type { Random } from './random.ts'
import type { SeedSubscription } from './reactions.ts'
import { type NewNotification, type RowInserts, stamp } from './row-inserts.ts'
import type { SeedVideo } from './videos.ts'

/** The oldest members, who have the known password. */
export const DEMO_ACCOUNTS = 10

const DAY_MS = 86_400_000
const NOTIFIED_DAYS = 60
const READ_AFTER_DAYS = 2
const LATEST_MAX = 30
const REMEMBERED_VIDEOS = 400
const WATCHED = 24

/** Collects recent notifications and history of the accounts with the known password. */
export function createAccountLife(
  { members, until }: { members: SeedMember[]; until: number },
  random: Random,
) {
  const accounts = members.slice(0, DEMO_ACCOUNTS)
  const notifications: NewNotification[] = []
  const recent: SeedVideo[] = []

  function notify(input: Omit<NewNotification, 'read' | 'createdAt'>, time: number): void {
    const days = (until - time) / DAY_MS
    if (days > NOTIFIED_DAYS || !accounts.some((account) => account.id === input.userId)) return
    notifications.push({ ...input, read: days > READ_AFTER_DAYS ? 1 : 0, createdAt: stamp(time) })
  }

  function notifyOfComments(video: SeedVideo, comments: SeedComment[]): void {
    for (const { id, author, content, parentId, createdAt } of comments) {
      if (parentId !== null || author === video.owner) continue
      const about = { sourceUserId: author.id, videoId: video.id, commentId: id }
      const title = `New comment on "${video.title}"`
      const message = `${author.displayName}: ${content}`
      const notification = { userId: video.owner.id, title, message, ...about }
      const text = `commented on "${video.title}"`
      const group = groupOf('comments', { about, text, at: stamp(createdAt) })
      notify({ ...notification, ...group, type: 'video_comment' }, createdAt)
    }
  }

  function notifyOfSubscribers(subscriptions: SeedSubscription[]): void {
    for (const { subscriber, channel, createdAt } of subscriptions) {
      const message = `${subscriber.displayName} subscribed to your channel`
      const about = { sourceUserId: subscriber.id, videoId: null, commentId: null }
      const notification = { userId: channel.id, title: 'New subscriber', message, ...about }
      const text = 'subscribed to your channel'
      const group = groupOf('subscribers', { about: {}, text, at: stamp(createdAt) })
      notify({ ...notification, ...group, type: 'new_subscriber' }, createdAt)
    }
  }

  function insertHistory(inserts: RowInserts, account: SeedMember): void {
    const indices = random.distinct(Math.min(WATCHED, recent.length), recent.length)
    for (const index of indices) {
      const { id, duration, publishedAt } = recent[index] as SeedVideo
      const watchedAt = stamp(publishedAt + random.fraction() * (until - publishedAt))
      const positionSeconds = Math.floor(duration * random.fraction())
      inserts.history({ userId: account.id, videoId: id, positionSeconds, watchedAt })
    }
  }

  return {
    /** Expects videos oldest first. */
    note(video: SeedVideo, comments: SeedComment[]): void {
      notifyOfComments(video, comments)
      if (!video.isApproved) return
      recent.push(video)
      if (recent.length > REMEMBERED_VIDEOS) recent.shift()
    },

    insert(inserts: RowInserts, subscriptions: SeedSubscription[]): void {
      notifyOfSubscribers(subscriptions)
      for (const account of accounts) {
        const latest = notifications
          .filter((notification) => notification.userId === account.id)
          .sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1))
        for (const notification of latest.slice(-LATEST_MAX)) inserts.notification(notification)
        insertHistory(inserts, account)
      }
    },
  }
}
