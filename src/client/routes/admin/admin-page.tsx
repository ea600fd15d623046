import { Link, useLocation } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useSession } from '#client/account/auth/use-session.ts'
import { ScrollStrip } from '#client/kit/control/scroll-strip.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { PageTitle } from '#client/kit/page-title.tsx'
import { PageSpinner } from '#client/kit/spinner.tsx'
import type { AdminSection } from '#shared/admin-sections.ts'
import type { Overview } from '#shared/schemas/desk/overview.schemas.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { trpc } from '../../trpc.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import classes from './admin-page.module.css'

const linkLook = row(8, 'noShrink', 'relative', 'touch', 'padX12', 'muted', 'hoverText')

/** Returns a lazily loaded component of a module. */
function from<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): ComponentType {
  return lazyPart(async () => ({ default: (await load())[name] as ComponentType }), <PageSpinner />)
}

type Section = {
  /** Null for the overview. */
  section: AdminSection | null
  label: string
  /** Count beside its link. */
  count?: 'approvals' | 'openReports' | 'heldComments'
  isUnlisted?: true
  Content: ComponentType
}

const SECTIONS: Section[] = [
  {
    section: null,
    label: 'Overview',
    Content: from(() => import('#client/desk/site/overview.tsx'), 'Overview'),
  },
  {
    section: 'approvals',
    label: 'Approvals',
    count: 'approvals',
    Content: from(() => import('#client/desk/moderation/approvals.tsx'), 'Approvals'),
  },
  {
    section: 'reports',
    label: 'Reports',
    count: 'openReports',
    Content: from(() => import('#client/desk/moderation/reports.tsx'), 'Reports'),
  },
  {
    section: 'comments',
    label: 'Comments',
    count: 'heldComments',
    Content: from(() => import('#client/desk/moderation/held-comments.tsx'), 'HeldComments'),
  },
  {
    section: 'members',
    label: 'Members',
    Content: from(() => import('./members-page.tsx'), 'MembersPage'),
  },
  {
    section: 'jobs',
    label: 'Jobs',
    Content: from(() => import('#client/desk/storage/jobs.tsx'), 'Jobs'),
  },
  {
    section: 'workers',
    label: 'Workers',
    Content: from(() => import('#client/desk/workers/workers.tsx'), 'Workers'),
  },
  {
    section: 'storage',
    label: 'Storage',
    Content: from(() => import('#client/desk/storage/storage.tsx'), 'Storage'),
  },
  {
    section: 'inbox',
    label: 'Inbox',
    Content: from(() => import('#client/desk/inbox/inbox-panels.tsx'), 'InboxPanels'),
  },
  {
    section: 'settings',
    label: 'Settings',
    Content: from(() => import('#client/desk/site/site-settings.tsx'), 'SiteSettingsForm'),
  },
  {
    section: 'sign-in',
    label: 'Sign-in',
    Content: from(() => import('#client/desk/sign-in/sign-in-settings.tsx'), 'SignInSettings'),
  },
  {
    section: 'webhooks',
    label: 'Webhooks',
    Content: from(() => import('#client/desk/webhooks/webhooks.tsx'), 'Webhooks'),
  },
  {
    section: 'backup',
    label: 'Backup',
    Content: from(() => import('#client/desk/storage/backups.tsx'), 'Backups'),
  },
  {
    section: 'audit',
    label: 'Audit log',
    Content: from(() => import('#client/desk/members/audit-log.tsx'), 'AuditLog'),
  },
  {
    section: 'welcome',
    label: 'Set-up checklist',
    isUnlisted: true,
    Content: from(() => import('#client/desk/setup/setup-checklist.tsx'), 'SetupChecklist'),
  },
]

const addressOf = (section: AdminSection | null): string =>
  section === null ? '/admin' : `/admin/${section}`

const EXACTLY = { exact: true, includeSearch: false }

/** Other viewers get 'not found'. */
export function AdminPage() {
  const user = useSession()
  const path = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') })
  const overview = trpc.overview.get.useQuery(undefined, { enabled: user?.isAdmin === true })
  const current = SECTIONS.find(({ section }) => addressOf(section) === path)
  if (!user?.isAdmin || !current) return <NotFoundPage />
  return (
    <div className={`${stack(16)} ${classes.page}`}>
      <PageTitle title={`${current.label} · Admin`} />
      <h1 className={look('pageHeading')}>{current.label}</h1>
      <SectionNav counts={overview.data} />
      <div key={path}>
        <current.Content />
      </div>
    </div>
  )
}

function SectionNav({ counts }: { counts: Overview | undefined }) {
  return (
    <nav aria-label="Admin">
      <ScrollStrip what="sections">
        {({ className, ...strip }) => (
          <div {...strip} className={`${classes.nav} ${className}`}>
            {SECTIONS.filter(({ isUnlisted }) => !isUnlisted).map(({ section, label, count }) => {
              const to = addressOf(section)
              const waiting = count ? (counts?.[count] ?? 0) : 0
              return (
                <Link
                  key={to}
                  to={to}
                  search={{} as never}
                  className={`${linkLook} ${classes.link}`}
                  activeOptions={EXACTLY}
                >
                  {label}
                  {waiting > 0 && (
                    <span className={classes.count}>
                      {waiting}
                      <span className="visually-hidden"> waiting</span>
                    </span>
                  )}
                </Link>
              )
            })}
          </div>
        )}
      </ScrollStrip>
    </nav>
  )
}
