import {
  IconCompass,
  IconCut,
  IconHistory,
  IconHome,
  IconLibrary,
  IconMovie,
  IconShield,
  IconUpload,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useSession } from '#client/account/auth/use-session.ts'
import { SubscribedChannels } from '#client/browse/subscription/subscribed-channels.tsx'
import { look, row, wrapped } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { useSite } from '#client/platform/use-site.ts'
import { whenIdle } from '#client/platform/when-idle.ts'
import classes from './sidebar.module.css'

/** If this part fails to load, the page of squads can still be reached. */
const SquadLinks = lazyPart(
  async () => {
    await whenIdle()
    return import('#client/browse/squad/squad-links.tsx')
  },
  null,
  null,
)

type Entry = { label: string; to: string; alsoAt?: string; Icon: TablerIcon }

const ENTRIES: Entry[] = [
  { label: 'Home', to: '/', Icon: IconHome },
  { label: 'Subscriptions', to: '/subscriptions', Icon: IconUsers },
  { label: 'History', to: '/history', Icon: IconHistory },
  { label: 'Upload', to: '/upload', alsoAt: '/upload-chunked', Icon: IconUpload },
  { label: 'Studio', to: '/studio', Icon: IconMovie },
]

/** In the tab bar on phones. */
const MORE_ENTRIES: Entry[] = [
  { label: 'Explore', to: '/explore', Icon: IconCompass },
  { label: 'Clips', to: '/clips', Icon: IconCut },
  { label: 'Library', to: '/library', Icon: IconLibrary },
  { label: 'Squads', to: '/squads', Icon: IconShield },
]

export function Sidebar() {
  const site = useSite()
  const user = useSession()
  return (
    <nav className={look('pad12')} aria-label="Main">
      <Entries entries={ENTRIES} />
      <div className={look('nextSection')}>
        <Entries entries={MORE_ENTRIES} />
      </div>
      <section
        className={`${classes.section} ${look('nextSection')}`}
        aria-labelledby="sidebar-subscriptions"
      >
        <h2 id="sidebar-subscriptions" className={classes.heading}>
          SUBSCRIPTIONS
        </h2>
        {user ? <SubscribedChannels /> : <p className={classes.none}>No subscriptions yet</p>}
      </section>
      {user && <SquadLinks />}
      <p className={`${classes.foot} ${wrapped(0, 'note')}`}>
        {site?.hasRules && <Link to="/rules">Rules of {site.name}</Link>}
        <Link to="/about">About</Link>
      </p>
    </nav>
  )
}

function Entries({ entries }: { entries: Entry[] }) {
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <ul>
      {entries.map(({ label, to, alsoAt, Icon }) => (
        <li key={to}>
          <Link
            to={to}
            className={`${row(16)} ${classes.entry}`}
            title={label}
            aria-current={path === to || path === alsoAt ? 'page' : undefined}
          >
            <Icon size={22} stroke={1.75} aria-hidden />
            <span className={classes.label}>{label}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
