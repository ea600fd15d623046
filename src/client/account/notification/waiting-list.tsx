import { IconChevronRight, IconShield } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { look } from '#client/kit/layout/layout.ts'
import classes from './notification-panel.module.css'
import { useWaiting } from './use-waiting.ts'

/** For admins, with links to the desk. */
export function WaitingList() {
  const { lines } = useWaiting()
  if (lines.length === 0) return null
  return (
    <ul className={look('ruleBelow')} aria-label="Waiting for you">
      {lines.map(({ to, text }) => (
        <li key={text}>
          <Link to={to} className={`${classes.waitingLink} ${look('hoverable')}`}>
            <IconShield size={18} stroke={1.75} aria-hidden />
            <span>{text}</span>
            <IconChevronRight size={16} aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  )
}
