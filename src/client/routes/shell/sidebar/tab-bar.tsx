import { IconCompass, IconCut, IconHome, IconLibrary, IconUsers } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import classes from './tab-bar.module.css'

const TABS = [
  { label: 'Home', to: '/', Icon: IconHome },
  { label: 'Explore', to: '/explore', Icon: IconCompass },
  { label: 'Clips', to: '/clips', Icon: IconCut },
  { label: 'Subscriptions', to: '/subscriptions', Icon: IconUsers },
  { label: 'Library', to: '/library', Icon: IconLibrary },
]

/** On small screens. */
export function TabBar() {
  const path = useLocation({ select: (location) => location.pathname })
  return (
    <nav className={classes.bar} aria-label="Tabs">
      {TABS.map(({ label, to, Icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          aria-current={path === to ? 'page' : undefined}
        >
          <Icon size={22} stroke={1.75} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  )
}
