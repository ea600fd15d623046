import { IconCheck, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import classes from './notification-card.module.css'

const EMOJI: Record<string, string> = {
  comment: '💬',
  comment_reply: '💬',
  video_comment: '💬',
  subscription: '📈',
  new_subscriber: '📈',
  upload: '🎥',
  like: '❤️',
}
const OTHER_EMOJI = '🔔'

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
  const { id, type, title, message, read, createdAt } = notification
  const link = linkOf(notification)
  return (
    <li className={classes.card} data-unread={!read || undefined}>
      <span className={classes.emoji} aria-hidden="true">
        {EMOJI[type] ?? OTHER_EMOJI}
      </span>
      <div className={classes.body}>
        <p className={classes.title}>
          {!read && <span className="visually-hidden">Unread: </span>}
          {title}
        </p>
        <p className={classes.message}>{message}</p>
        <p className={classes.foot}>
          <TimeAgo time={createdAt} />
          {link && (
            <Link
              {...link}
              className={classes.view}
              onClick={() => {
                // The page that it leads to may be the one that is open.
                if (notification.postId !== null) void utils.post.invalidate()
                if (!read) markRead.mutate({ id })
              }}
            >
              View
            </Link>
          )}
        </p>
      </div>
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

/** The video or post it speaks of, or else the person, or nowhere. */
function linkOf({ videoId, postChannelId, sourceUser }: Notification) {
  if (videoId !== null) return { to: '/video/$id', params: { id: `${videoId}` } } as const
  if (postChannelId !== null) {
    const search = { tab: 'community' } as const
    return { to: '/profile/$id', params: { id: `${postChannelId}` }, search } as const
  }
  if (!sourceUser) return undefined
  return { to: '/profile/$id', params: { id: `${sourceUser.id}` } } as const
}

function notifyFailure(title: string, error: unknown): void {
  notify({ tone: 'error', title, message: serverSentence(error) })
}
