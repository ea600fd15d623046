import {
  IconBellFilled,
  IconChartBar,
  IconCheck,
  IconHeartFilled,
  IconMessageCircleFilled,
  IconShieldFilled,
  IconTrash,
  IconVideoFilled,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { UserAvatar } from '#client/kit/user-avatar.tsx'
import { Thumbnail } from '#client/kit/video/thumbnail.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { passFocusOnRemoval } from '#client/platform/pass-focus-on-removal.ts'
import { trpc } from '#client/trpc.ts'
import { messageOf, type NotificationGroup, titleOf } from '#shared/group-notifications.ts'
import { linkOf } from '#shared/notification-link.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import classes from './notification-row.module.css'
import { useNotificationActs } from './use-notification-acts.ts'

const ICONS: Record<string, TablerIcon> = {
  comment: IconMessageCircleFilled,
  comment_reply: IconMessageCircleFilled,
  video_comment: IconMessageCircleFilled,
  subscription: IconChartBar,
  new_subscriber: IconChartBar,
  upload: IconVideoFilled,
  like: IconHeartFilled,
}

/** Makes the whole row a link. A swipe reveals the actions on devices without hover. */
export function NotificationRow({ group }: { group: NotificationGroup }) {
  const utils = trpc.useUtils()
  const titleId = useId()
  const { markRead, remove, isMarking, isRemoving } = useNotificationActs(group)
  const { latest, unread, size } = group
  const { createdAt, videoThumbnailUrl } = latest
  const link = linkOf(latest)
  const message = messageOf(group)
  return (
    <li className={classes.row} data-unread={unread > 0 || undefined} ref={passFocusOnRemoval}>
      <div className={classes.slide}>
        <div className={classes.content}>
          <Face group={group} />
          <div className={look('shrink', 'breakWords')}>
            <p className={classes.title} id={titleId}>
              {unread > 0 && <span className="visually-hidden">Unread: </span>}
              {titleOf(group)}
            </p>
            {message && <p className={classes.message}>{message}</p>}
            <p className={row(12, 'above4', 'fine')}>
              <TimeAgo time={createdAt} />
              {size > 1 && unread > 0 && (
                <span className={look('accentColor', 'strong')}>{unread} new</span>
              )}
              {link && (
                <Link
                  to={link.path as string}
                  search={link.tab ? { tab: link.tab } : {}}
                  hash={link.hash ?? ''}
                  className={`${classes.view} ${look('strong')}`}
                  aria-describedby={titleId}
                  onClick={() => {
                    // The target page may already be open, so its posts, comments and members
                    // are loaded again.
                    if (latest.postId !== null) {
                      void utils.post.invalidate()
                      void utils.comment.invalidate()
                    }
                    if (latest.squadId !== null) void utils.squad.invalidate()
                    if (unread > 0) markRead()
                  }}
                >
                  View
                </Link>
              )}
            </p>
          </div>
          {videoThumbnailUrl && <Thumbnail src={videoThumbnailUrl} className={classes.thumbnail} />}
        </div>
        <div className={classes.actions}>
          {unread > 0 && (
            <IconButton
              aria-label="Mark as read"
              aria-describedby={titleId}
              disabled={isMarking}
              onClick={markRead}
            >
              <IconCheck size={18} aria-hidden />
            </IconButton>
          )}
          <IconButton
            aria-label="Delete notification"
            aria-describedby={titleId}
            disabled={isRemoving}
            onClick={remove}
          >
            <IconTrash size={18} stroke={1.75} aria-hidden />
          </IconButton>
        </div>
      </div>
    </li>
  )
}

/** Shows at most two avatars, or only the icon if no person is known. */
function Face({ group: { latest, people } }: { group: NotificationGroup }) {
  const Icon = isOfSquad(latest) ? IconShieldFilled : (ICONS[latest.type] ?? IconBellFilled)
  const shown = people.slice(0, 2)
  const isPair = shown.length === 2
  return (
    <span
      className={classes.face}
      data-type={latest.type}
      data-pair={isPair || undefined}
      aria-hidden="true"
    >
      {shown.map(({ id, displayName, avatarUrl }) => (
        <UserAvatar key={id} name={displayName} src={avatarUrl} size={isPair ? 26 : 40} />
      ))}
      <span className={classes.sign} data-alone={shown.length === 0 || undefined}>
        <Icon size={shown.length > 0 ? 12 : 20} />
      </span>
    </span>
  )
}

/** A notification of removal has no `squadId` if the member cannot open the squad. */
const isOfSquad = ({ squadId, type, postId }: Notification) =>
  squadId !== null || (type === 'subscription' && postId === null)
