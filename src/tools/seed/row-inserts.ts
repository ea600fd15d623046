import type { BulkInsert } from '#server/platform/db/bulk-insert.ts'
import { timestamp } from '#server/platform/db/database.ts'
import type { NotificationType } from '#server/platform/db/tables/community.ts'
import { foldText } from '#server/platform/db/words.ts'
import type { Clip, giveClip } from './clips.ts'
import type { SeedComment } from './comments.ts'
import type { SeedMember } from './members.ts'
import type { SeedLike, SeedSubscription } from './reactions.ts'
import type { SeedVideo } from './videos.ts'

export type RowInserts = ReturnType<typeof createRowInserts>

/** Pages tell that the file is missing. */
const NO_FILES = {
  videoUrl: null,
  thumbnailUrl: null,
  width: null,
  height: null,
  hlsUrl: null,
  storyboardUrl: null,
  cardUrl: null,
  preview: null,
  shareUrl: null,
  loudnessLufs: null,
  soundLanguage: null,
  storageBytes: 0,
  videoFileExists: 0 as const,
}

export function createRowInserts(writer: BulkInsert) {
  const member = writer.prepareInsert('users', [
    'id',
    'username',
    'password',
    'email',
    'displayName',
    'bio',
    'subscriberCount',
    'isAdmin',
    'showEmail',
    'createdAt',
  ])
  const subscription = writer.prepareInsert('subscriptions', [
    'subscriberId',
    'channelId',
    'subscribedAt',
  ])
  const video = writer.prepareInsert('videos', [
    'id',
    'userId',
    'mediaKey',
    'title',
    'foldedTitle',
    'description',
    'videoUrl',
    'thumbnailUrl',
    'duration',
    'width',
    'height',
    'hlsUrl',
    'storyboardUrl',
    'cardUrl',
    'preview',
    'shareUrl',
    'loudnessLufs',
    'soundLanguage',
    'storageBytes',
    'viewCount',
    'likeCount',
    'dislikeCount',
    'publishedAt',
    'discordEmbed',
    'category',
    'tags',
    'contentApproved',
    'isAnonymous',
    'videoFileExists',
    'processingState',
  ])
  const comment = writer.prepareInsert('comments', [
    'id',
    'videoId',
    'userId',
    'content',
    'likeCount',
    'dislikeCount',
    'parentId',
    'createdAt',
  ])
  const likeOfVideo = writer.prepareInsert('likes', ['userId', 'videoId', 'isLike', 'createdAt'])
  const likeOfComment = writer.prepareInsert('likes', [
    'userId',
    'commentId',
    'isLike',
    'createdAt',
  ])
  const insertClip = createClipInserts(writer)

  return {
    member(
      row: SeedMember,
      more: { password: string; subscriberCount: number; isAdmin: 0 | 1 },
    ): void {
      const { game: _, joinedAt, ...fields } = row
      member({ ...fields, ...more, createdAt: stamp(joinedAt) })
    },

    subscription(row: SeedSubscription): void {
      subscription({
        subscriberId: row.subscriber.id,
        channelId: row.channel.id,
        subscribedAt: stamp(row.createdAt),
      })
    },

    video(
      row: SeedVideo,
      more: {
        mediaKey: string
        files: ReturnType<typeof giveClip> | undefined
        clip: Clip | undefined
        likes: SeedLike[]
      },
    ): void {
      const { id, title, description, duration, viewCount, category } = row
      video({
        ...{ id, title, description, duration, viewCount, category },
        foldedTitle: foldText(title),
        ...(more.files ?? NO_FILES),
        ...countOf(more.likes),
        userId: row.owner.id,
        mediaKey: more.mediaKey,
        publishedAt: stamp(row.publishedAt),
        discordEmbed: row.discordEmbed ? 1 : 0,
        tags: JSON.stringify(row.tags),
        contentApproved: row.isApproved ? 1 : 0,
        isAnonymous: row.isAnonymous ? 1 : 0,
        processingState: 'ready',
      })
      if (more.clip) insertClip(id, more.clip)
    },

    comment(row: SeedComment, more: { videoId: number; likes: SeedLike[] }): void {
      const { id, content, parentId } = row
      comment({
        ...{ id, content, parentId },
        ...countOf(more.likes),
        videoId: more.videoId,
        userId: row.author.id,
        createdAt: stamp(row.createdAt),
      })
    },

    like(row: SeedLike, target: { videoId: number } | { commentId: number }): void {
      const fields = { userId: row.member.id, isLike: row.isLike, createdAt: stamp(row.createdAt) }
      if ('videoId' in target) likeOfVideo({ ...fields, videoId: target.videoId })
      else likeOfComment({ ...fields, commentId: target.commentId })
    },

    dailyViews: writer.prepareInsert('dailyViews', ['day', 'videoId', 'count']),
    history: writer.prepareInsert('history', ['userId', 'videoId', 'positionSeconds', 'watchedAt']),
    notification: writer.prepareInsert('notifications', [
      'userId',
      'type',
      'title',
      'message',
      'sourceUserId',
      'videoId',
      'commentId',
      'read',
      'createdAt',
      'groupKey',
      'groupText',
    ]),
  }
}

function createClipInserts(writer: BulkInsert): (videoId: number, clip: Clip) => void {
  const file = writer.prepareInsert('mediaFiles', ['videoId', 'name', 'kind', 'bytes'])
  const rendition = writer.prepareInsert('renditions', [
    ...(['videoId', 'name', 'width', 'height', 'frameRate'] as const),
    ...(['bandwidth', 'averageBandwidth', 'codecs', 'copied'] as const),
  ])
  const sound = writer.prepareInsert('soundTracks', ['videoId', 'number', 'file', 'language'])
  return (videoId, { files, ladder }) => {
    for (const row of files) file({ videoId, ...row })
    for (const row of ladder.renditions) {
      rendition({ videoId, ...row, copied: row.copied ? 1 : 0 })
    }
    // The first track is in the video.
    for (const [index, row] of ladder.soundTracks.entries()) {
      sound({ videoId, number: index + 2, ...row })
    }
  }
}

export type NewNotification = {
  userId: number
  type: NotificationType
  title: string
  message: string
  sourceUserId: number
  videoId: number | null
  commentId: number | null
  read: 0 | 1
  createdAt: string
}

export function stamp(time: number): string {
  return timestamp(new Date(time))
}

function countOf(likes: SeedLike[]): { likeCount: number; dislikeCount: number } {
  const likeCount = likes.filter((like) => like.isLike === 1).length
  return { likeCount, dislikeCount: likes.length - likeCount }
}
