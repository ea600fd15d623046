import { IconBell } from '@tabler/icons-react'
import { PopoverButton } from '#client/kit/dialog/popover-button.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { RollingNumber } from '#client/kit/rolling-number.tsx'
import { Spinner } from '#client/kit/spinner.tsx'
import { trpc } from '#client/trpc.ts'
import { MAX_PAGE_SIZE } from '#shared/limits.ts'
import classes from './notification-bell.module.css'

const BADGE_MAX = 99
const NotificationPanel = lazyPart(() => import('./notification-panel.tsx'), <PanelFallback />)

/** The bell with its unread badge; the live events have its list read again. */
export default function NotificationBell({
  buttonClassName,
}: {
  buttonClassName: string | undefined
}) {
  const notifications = trpc.notification.list.useQuery({ limit: MAX_PAGE_SIZE })
  const unread = notifications.data?.items.filter((item) => !item.read).length ?? 0
  return (
    <PopoverButton
      label="Notifications"
      buttonLabel={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
      button={
        <span className={classes.bell}>
          <IconBell stroke={1.75} aria-hidden />
          {unread > 0 && (
            <span className={classes.badge}>
              <RollingNumber value={unread}>
                {unread > BADGE_MAX ? `${BADGE_MAX}+` : String(unread)}
              </RollingNumber>
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
