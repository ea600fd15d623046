import { Button } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { nextPage } from '#client/platform/next-page.ts'
import { useMinute } from '#client/platform/use-minute.ts'
import { groupNotifications, type NotificationGroup } from '#shared/group-notifications.ts'
import type { NotificationFilter } from '#shared/notification-kinds.ts'
import { formatDate } from '#shared/text/format.ts'
import { BellDrawing } from '../account/notification/bell-drawing.tsx'
import { NotificationList } from '../account/notification/notification-list.tsx'
import { useMarkAllRead } from '../account/notification/use-notification-acts.ts'
import { WaitingList } from '../account/notification/waiting-list.tsx'
import { SectionTabs } from '../kit/control/section-tabs.tsx'
import { EmptyState } from '../kit/list/empty-state.tsx'
import { LoadError } from '../kit/list/load-error.tsx'
import { LoadMore } from '../kit/list/load-more.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { trpc } from '../trpc.ts'
import classes from './notifications-page.module.css'

const FILTERS = [
  { id: 'all', label: 'All' },
  { id: 'unread', label: 'Unread' },
  { id: 'comments', label: 'Comments' },
  { id: 'likes', label: 'Likes' },
  { id: 'subscriptions', label: 'Subscriptions' },
  { id: 'videos', label: 'Videos' },
  { id: 'squads', label: 'Squads' },
] as const satisfies { id: NotificationFilter; label: string }[]

const EMPTY: Record<NotificationFilter, string> = {
  all: 'What others say and do about your videos appears here.',
  unread: 'You have read everything.',
  comments: 'Comments, replies and mentions appear here.',
  likes: 'Likes of your videos appear here.',
  subscriptions: 'New subscribers and posts from channels you subscribe to appear here.',
  videos: 'New videos from channels you subscribe to and decisions about yours appear here.',
  squads: 'Posts, clips and videos of your squads, and who joins them, appear here.',
}

const route = getRouteApi('/shell/notifications')

export function NotificationsPage() {
  const { show: filter = 'all' } = route.useSearch()
  const navigate = route.useNavigate()
  const markAllRead = useMarkAllRead()
  const list = trpc.notification.browse.useInfiniteQuery(
    { filter },
    { ...nextPage, placeholderData: keepPreviousData },
  )
  const items = list.data?.pages.flatMap((page) => page.items)
  const isAnyUnread = items?.some((item) => !item.read) ?? false
  return (
    <div className={`${stack(16)} ${classes.page}`}>
      <PageTitle title="Notifications" />
      <div className={wrapped(8, 'between', 'centre')}>
        <h1 className={look('pageHeading')}>Notifications</h1>
        <div className={wrapped(8, 'centre')}>
          {isAnyUnread && (
            <Button
              variant="default"
              size="sm"
              disabled={markAllRead.isPending}
              onClick={() => markAllRead.mutate({})}
            >
              Mark all as read
            </Button>
          )}
          <Link to="/settings" hash="notifications" className={classes.choose}>
            Settings
          </Link>
        </div>
      </div>
      <SectionTabs
        label="Notifications"
        tabs={FILTERS}
        current={filter}
        onChange={(show) =>
          void navigate({ search: show === 'all' ? {} : { show }, replace: true })
        }
      >
        <div className={stack(24)} data-stale={list.isPlaceholderData || undefined}>
          {filter === 'all' && (
            <div className={`${look('framed', 'clipped', 'card')} ${classes.waiting}`}>
              <WaitingList />
            </div>
          )}
          {list.isPending && <PageSkeleton />}
          {list.isError && !items && (
            <LoadError error={list.error} onRetry={() => void list.refetch()} />
          )}
          {items?.length === 0 && (
            <EmptyState role="status" drawing={<BellDrawing />} title="No notifications">
              {EMPTY[filter]}
            </EmptyState>
          )}
          {items && items.length > 0 && <Days groups={groupNotifications(items)} />}
          {items && <LoadMore query={list} />}
        </div>
      </SectionTabs>
    </div>
  )
}

/** Divides the groups by the local day of their latest notification. */
function Days({ groups }: { groups: NotificationGroup[] }) {
  useMinute()
  const days = new Map<string, NotificationGroup[]>()
  for (const group of groups) {
    const name = nameOfDay(group.latest.createdAt)
    days.set(name, [...(days.get(name) ?? []), group])
  }
  return [...days].map(([name, ofDay]) => (
    <section key={name} aria-label={name}>
      <h2 className={look('smallHeading', 'below8')}>{name}</h2>
      <div className={look('framed', 'clipped', 'card')}>
        <NotificationList groups={ofDay} />
      </div>
    </section>
  ))
}

const DAY_MS = 86_400_000

function nameOfDay(time: string): string {
  const date = formatDate(time)
  if (date === formatDate(new Date())) return 'Today'
  return date === formatDate(new Date(Date.now() - DAY_MS)) ? 'Yesterday' : date
}

function PageSkeleton() {
  return (
    <div role="status" aria-label="Loading notifications...">
      <p className={look('smallHeading', 'below8')} aria-hidden="true">
        &nbsp;
      </p>
      <div className={look('framed', 'clipped', 'card')}>
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <div key={index} className={classes.skeleton}>
            <span className={classes.disc} />
            <span className={classes.line} />
          </div>
        ))}
      </div>
    </div>
  )
}
