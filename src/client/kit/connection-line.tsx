import { IconWifiOff } from '@tabler/icons-react'
import { useConnectionLost } from '../platform/use-connection-lost.ts'
import classes from './connection-line.module.css'

/** The only place that reports a lost connection. */
export function ConnectionLine() {
  const isLost = useConnectionLost()
  if (!isLost) return null
  return (
    <p className={classes.line} role="status">
      <IconWifiOff size={18} aria-hidden />
      Reconnecting…
    </p>
  )
}
