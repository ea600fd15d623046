import { commentHash, memberHash, postHash, videoHash } from './comment-hash.ts'
import { INBOX_GROUP } from './notification-kinds.ts'
import type { Notification } from './schemas/community.schemas.ts'

export type NotificationLink = {
  path: string
  tab?: 'community' | 'members' | 'inbox'
  hash?: string
}

/** Returns the page of the inbox, clip, video, post, squad or join request, otherwise the page of the person, or undefined. */
export function linkOf(notification: Notification): NotificationLink | undefined {
  const { videoId, clipId, commentId, postId, postChannelId, squadId, sourceUser } = notification
  if (notification.group?.key.startsWith(`${INBOX_GROUP} `))
    return { path: '/studio', tab: 'inbox' }
  // Only news of a squad have a group.
  if (squadId !== null && notification.group) {
    const hash = postId !== null ? postHash(postId) : videoHash(videoId ?? 0)
    return { path: `/squad/${squadId}`, hash }
  }
  const hash = commentId === null ? '' : commentHash(commentId)
  if (clipId !== null) return { path: `/clip/${clipId}`, hash }
  if (videoId !== null) return { path: `/video/${videoId}`, hash }
  if (postId !== null && postChannelId !== null) {
    return { path: `/profile/${postChannelId}`, tab: 'community', hash: hash || postHash(postId) }
  }
  if (squadId !== null) {
    const path = `/squad/${squadId}`
    if (notification.type !== 'new_subscriber' || !sourceUser) return { path }
    return { path, tab: 'members', hash: memberHash(sourceUser.id) }
  }
  return sourceUser ? { path: `/profile/${sourceUser.id}` } : undefined
}

export function addressOf({ path, tab, hash }: NotificationLink): string {
  return `${path}${tab ? `?tab=${tab}` : ''}${hash ? `#${hash}` : ''}`
}
