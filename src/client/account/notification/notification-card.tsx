import {
  IconBellFilled,
  IconChartBar,
  IconCheck,
  IconHeartFilled,
  IconMessageCircleFilled,
  IconTrash,
  IconVideoFilled,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { Thumbnail } from '#client/kit/video/thumbnail.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { commentHash, postHash } from '#client/platform/comment-hash.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import classes from './notification-card.module.css'

const ICONS: Record<string, TablerIcon> = {
  comment: IconMessageCircleFilled,
  comment_reply: IconMessageCircleFilled,
  video_comment: IconMessageCircleFilled,
  subscription: IconChartBar,
  new_subscriber: IconChartBar,
  upload: IconVideoFilled,
  like: IconHeartFilled,
}

export function NotificationCard({ notification }: { notification: Notification }) {
  const utils = trpc.useUtils()
  const onSettled = () => utils.notification.list.invalidate()
  const markRead = trpc.notification.markRead.useMutation({
    onError: (error) => notifyFailure('Error marking notification as read', error),
    onSettled,
  })
  const remove = trpc.notification.delete.useMutation({
    onError: (error) => notifyFailure('Error deleting notification', error),
    onSettled,
  })
  const { id, title, message, read, createdAt, videoThumbnailUrl } = notification
  const link = linkOf(notification)
  return (
    <li className={classes.card} data-unread={!read || undefined}>
      <Face notification={notification} />
      <div className={look('shrink', 'breakWords')}>
        <p className={classes.title}>
          {!read && <span className="visually-hidden">Unread: </span>}
          {title}
        </p>
        <p className={classes.message}>{message}</p>
        <p className={row(12, 'above4', 'fine')}>
          <TimeAgo time={createdAt} />
          {link && (
            <Link
              {...link}
              className={`${classes.view} ${look('relative', 'strong')}`}
              onClick={() => {
                // The target page may already be open.
                if (notification.postId !== null) {
                  void utils.post.invalidate()
                  void utils.comment.invalidate()
                }
                if (!read) markRead.mutate({ id })
              }}
            >
              View
            </Link>
          )}
        </p>
      </div>
      {videoThumbnailUrl && <Thumbnail src={videoThumbnailUrl} className={classes.thumbnail} />}
      <div className={classes.actions}>
        {!read && (
          <IconButton
            aria-label="Mark as read"
            disabled={markRead.isPending}
            onClick={() => markRead.mutate({ id })}
          >
            <IconCheck size={18} aria-hidden />
          </IconButton>
        )}
        <IconButton
          aria-label="Delete notification"
          disabled={remove.isPending}
          onClick={() => remove.mutate({ id })}
        >
          <IconTrash size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

/** Without a person only the icon is shown. */
function Face({ notification: { type, sourceUser } }: { notification: Notification }) {
  const Icon = ICONS[type] ?? IconBellFilled
  return (
    <span className={classes.face} data-type={type} aria-hidden="true">
      {sourceUser && <UserAvatar name={sourceUser.displayName} src={sourceUser.avatarUrl} />}
      <span className={classes.sign} data-alone={!sourceUser || undefined}>
        <Icon size={sourceUser ? 12 : 20} />
      </span>
    </span>
  )
}

/** The clip, video or post, otherwise the person; undefined without either. */
function linkOf(notification: Notification) {
  const { videoId, clipId, commentId, postId, postChannelId, squadId, sourceUser } = notification
  const hash = commentId === null ? '' : commentHash(commentId)
  if (clipId !== null) return { to: '/clip/$id', params: { id: `${clipId}` }, hash } as const
  if (videoId !== null) return { to: '/video/$id', params: { id: `${videoId}` }, hash } as const
  if (postId !== null && postChannelId !== null) {
    return {
      to: '/profile/$id',
      params: { id: `${postChannelId}` },
      search: { tab: 'community' },
      hash: hash || postHash(postId),
    } as const
  }
  if (squadId !== null) return { to: '/squad/$id', params: { id: `${squadId}` } } as const
  if (!sourceUser) return undefined
  return { to: '/profile/$id', params: { id: `${sourceUser.id}` } } as const
}

function notifyFailure(title: string, error: unknown): void {
  notify({ tone: 'error', title, message: serverSentence(error) })
}
