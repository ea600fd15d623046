import {
  IconHistory,
  IconHome,
  IconMovie,
  IconUpload,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '../features/auth/use-session.ts'
import { SubscribedChannels } from '../features/subscription/subscribed-channels.tsx'
import classes from './sidebar.module.css'

type Entry = { label: string; to: string; alsoAt?: string; Icon: TablerIcon }

const ENTRIES: Entry[] = [
  { label: 'Home', to: '/', Icon: IconHome },
  { label: 'Subscriptions', to: '/subscriptions', Icon: IconUsers },
  { label: 'History', to: '/history', Icon: IconHistory },
  { label: 'Upload', to: '/upload', alsoAt: '/upload-chunked', Icon: IconUpload },
  { label: 'Studio', to: '/studio', Icon: IconMovie },
]

export function Sidebar() {
  const path = useLocation({ select: (location) => location.pathname })
  const user = useSession()
  return (
    <nav className={classes.sidebar} aria-label="Main">
      <ul>
        {ENTRIES.map(({ label, to, alsoAt, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              className={classes.entry}
              title={label}
              aria-current={path === to || path === alsoAt ? 'page' : undefined}
            >
              <Icon size={22} stroke={1.75} aria-hidden />
              <span className={classes.label}>{label}</span>
            </Link>
          </li>
        ))}
      </ul>
      <section className={classes.section} aria-labelledby="sidebar-subscriptions">
        <h2 id="sidebar-subscriptions" className={classes.heading}>
          SUBSCRIPTIONS
        </h2>
        {user ? <SubscribedChannels /> : <p className={classes.none}>No subscriptions yet</p>}
      </section>
    </nav>
  )
}
