import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { PageTitle } from '../../components/page-title.tsx'
import { useSession } from '../../features/auth/use-session.ts'
import { trpc } from '../../trpc.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import classes from './admin-layout.module.css'

const SECTIONS = [
  { to: '/admin', label: 'Overview' },
  { to: '/admin/approvals', label: 'Approvals', count: 'approvals' },
  { to: '/admin/reports', label: 'Reports', count: 'openReports' },
  { to: '/admin/comments', label: 'Comments', count: 'heldComments' },
  { to: '/admin/members', label: 'Members' },
  { to: '/admin/jobs', label: 'Jobs' },
  { to: '/admin/storage', label: 'Storage' },
  { to: '/admin/settings', label: 'Settings' },
  { to: '/admin/backup', label: 'Backup' },
  { to: '/admin/audit', label: 'Audit log' },
] as const

const EXACTLY = { exact: true, includeSearch: false }

/** Around the admin's pages; for everybody else there is nothing at their addresses. */
export function AdminLayout() {
  const user = useSession()
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') })
  const overview = trpc.overview.get.useQuery(undefined, { enabled: user?.isAdmin === true })
  if (!user?.isAdmin) return <NotFoundPage />
  const current = SECTIONS.find(({ to }) => to === path)
  return (
    <div className={classes.page}>
      <PageTitle title={current ? `${current.label} · Admin` : 'Admin'} />
      <h1 className={classes.heading}>{current?.label ?? 'Admin'}</h1>
      <nav className={classes.nav} aria-label="Admin">
        {SECTIONS.map((section) => {
          const { to, label } = section
          const count = 'count' in section ? (overview.data?.[section.count] ?? 0) : 0
          return (
            <Link
              key={to}
              to={to as string}
              search={{} as never}
              className={classes.link}
              activeOptions={EXACTLY}
              ref={(link) => {
                if (to === path) link?.scrollIntoView({ block: 'nearest', inline: 'center' })
              }}
            >
              {label}
              {count > 0 && (
                <span className={classes.count}>
                  {count}
                  <span className="visually-hidden"> waiting</span>
                </span>
              )}
            </Link>
          )
        })}
      </nav>
      <div>
        <Outlet />
      </div>
    </div>
  )
}
