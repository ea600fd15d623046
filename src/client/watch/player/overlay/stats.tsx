import { IconX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { readStats } from '../core/stats.ts'
import { usePlayer } from '../player-context.ts'
import classes from './stats.module.css'

const REFRESH_MS = 500

/** Source and quality details. */
export default function Stats() {
  const player = usePlayer()
  const [rows, setRows] = useState(() => readStats(player))
  useEffect(() => {
    const timer = setInterval(() => setRows(readStats(player)), REFRESH_MS)
    return () => clearInterval(timer)
  }, [player])
  return (
    <section className={classes.root} aria-label="Stats for nerds">
      <button
        type="button"
        className={`${classes.close} ${look('centred', 'square')}`}
        aria-label="Close stats"
        onClick={({ currentTarget }) => {
          currentTarget.closest<HTMLElement>('[role="group"]')?.focus({ preventScroll: true })
          player.toggleStats()
        }}
      >
        <IconX size={16} aria-hidden />
      </button>
      <dl>
        {rows.map(({ name, value, share }) => (
          <div key={name} className={classes.row}>
            <dt>{name}</dt>
            <dd>
              {share !== undefined && (
                <span className={classes.gauge}>
                  <span style={{ scale: `${share} 1` }} />
                </span>
              )}
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
