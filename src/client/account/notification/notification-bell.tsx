import { IconBell } from '@tabler/icons-react'
import { useEffect } from 'react'
import { PopoverButton } from '#client/kit/dialog/popover-button.tsx'
import { stack } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { Spinner } from '#client/kit/spinner.tsx'
import { showUnread } from '#client/platform/app-badge.ts'
import { trpc } from '#client/trpc.ts'
import { groupNotifications } from '#shared/group-notifications.ts'
import { MAX_PAGE_SIZE } from '#shared/limits.ts'
import classes from './notification-bell.module.css'
import { useWaiting } from './use-waiting.ts'

const BADGE_MAX = 99
const NotificationPanel = lazyPart(() => import('./notification-panel.tsx'), <PanelFallback />)

/** Live events refetch the list. */
export default function NotificationBell({
  buttonClassName,
}: {
  buttonClassName: string | undefined
}) {
  const notifications = trpc.notification.browse.useQuery({ limit: MAX_PAGE_SIZE })
  const groups = groupNotifications(notifications.data?.items ?? [])
  const unread = groups.reduce((sum, group) => sum + group.unread, 0)
  const isKnown = notifications.data !== undefined
  useEffect(() => {
    if (isKnown) void showUnread(unread)
  }, [isKnown, unread])
  const waiting = useWaiting().count
  const marked = unread + waiting
  const badge = marked > BADGE_MAX ? `${BADGE_MAX}+` : String(marked)
  return (
    <PopoverButton
      label="Notifications"
      buttonLabel={[
        // The name has the number that the badge shows.
        unread > 0 && waiting > 0 ? `Notifications, ${badge} in all` : 'Notifications',
        unread > 0 && `${unread} unread`,
        waiting > 0 && `${waiting} for admins`,
      ]
        .filter(Boolean)
        .join(', ')}
      button={
        <span className={stack(0, 'relative')}>
          <IconBell stroke={1.75} aria-hidden />
          {marked > 0 && (
            <span className={classes.badge}>
              <RollingNumber value={marked}>{badge}</RollingNumber>
            </span>
          )}
        </span>
      }
      buttonClassName={buttonClassName}
      panelClassName={classes.panel}
    >
      <NotificationPanel notifications={notifications} unread={unread} />
    </PopoverButton>
  )
}

function PanelFallback() {
  return (
    <div className={classes.fallback}>
      <Spinner label="Loading notifications..." />
    </div>
  )
}
