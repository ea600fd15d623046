import { Button } from '@mantine/core'
import { IconChecks, IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { Spinner } from '#client/kit/spinner.tsx'
import { groupNotifications } from '#shared/group-notifications.ts'
import type { Notification } from '#shared/schemas/community.schemas.ts'
import { BellDrawing } from './bell-drawing.tsx'
import { NotificationList } from './notification-list.tsx'
import classes from './notification-panel.module.css'
import { useMarkAllRead } from './use-notification-acts.ts'
import { WaitingList } from './waiting-list.tsx'

type NotificationPanelProps = {
  notifications: {
    data: { items: Notification[] } | undefined
    error: unknown
    isPending: boolean
    isFetching: boolean
    refetch: () => Promise<unknown>
  }
  unread: number
}

export default function NotificationPanel({ notifications, unread }: NotificationPanelProps) {
  const markAllRead = useMarkAllRead()
  return (
    <>
      <div className={`${row(4)} ${classes.head}`}>
        <h2 className={look('grow', 'smallHeading')}>Notifications</h2>
        {unread > 0 && (
          <Button
            variant="subtle"
            size="sm"
            leftSection={<IconChecks size={16} aria-hidden />}
            disabled={markAllRead.isPending}
            onClick={() => markAllRead.mutate({})}
          >
            Mark all as read
          </Button>
        )}
        <Button
          variant="subtle"
          size="sm"
          leftSection={<IconRefresh size={16} aria-hidden />}
          disabled={notifications.isFetching}
          onClick={() => void notifications.refetch()}
        >
          Refresh
        </Button>
      </div>
      <WaitingList />
      <PanelList {...notifications} />
      <Link to="/notifications" className={`${classes.all} ${look('ruleAbove', 'hoverable')}`}>
        See all
      </Link>
    </>
  )
}

function PanelList(props: NotificationPanelProps['notifications']) {
  const { data, error, isPending, refetch } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must scroll by keyboard.
    <section className={classes.list} aria-label="Notification list" tabIndex={0}>
      {isPending && (
        <div className={column(16, 'middle', 'centre', 'fullHeight', 'muted')}>
          <Spinner label="Loading notifications..." />
          <p>Loading notifications...</p>
        </div>
      )}
      {!isPending && !data && <LoadError error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <div className={column(16, 'middle', 'centre', 'fullHeight', 'muted')}>
          <EmptyState compact drawing={<BellDrawing />} title="No notifications" />
        </div>
      )}
      {data && data.items.length > 0 && (
        <NotificationList groups={groupNotifications(data.items)} />
      )}
    </section>
  )
}
