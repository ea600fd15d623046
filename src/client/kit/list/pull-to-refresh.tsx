import { IconRefresh } from '@tabler/icons-react'
import { useRef } from 'react'
import classes from './pull-to-refresh.module.css'
import { usePull } from './use-pull.ts'

/** Shows a sign while a finger pulls the page down and until `onRefresh` is done. */
export function PullToRefresh({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const sign = useRef<HTMLSpanElement>(null)
  const pull = usePull(onRefresh, (distance) => {
    sign.current?.style.setProperty('--pulled', `${distance}`)
  })
  return (
    <div className={classes.root} role="status" data-pull={pull}>
      <span ref={sign} className={classes.sign}>
        <IconRefresh size={22} stroke={1.75} aria-hidden />
      </span>
      {pull === 'refreshing' && <span className="visually-hidden">Refreshing</span>}
    </div>
  )
}
