import type { ReactNode, RefCallback } from 'react'
import { usePlayerMemory } from '../../watch/player/use-player-memory.ts'
import classes from './watch-page.module.css'

type WatchLayoutProps = {
  slot: RefCallback<HTMLDivElement>
  glowUrl?: string | null
  screen: ReactNode
  about: ReactNode
  live?: ReactNode
  comments: ReactNode
  queue: ReactNode
  recommended: ReactNode
}

/** The player lies over its slot (`PlayerHost`), and so outlives the page. */
export function WatchLayout({ slot, glowUrl, ...slots }: WatchLayoutProps) {
  const isTheatre = usePlayerMemory('isTheatre')
  const isAlone = !slots.queue && !slots.recommended
  return (
    <div
      className={classes.page}
      data-theatre={isTheatre || undefined}
      data-queue={Boolean(slots.queue) || undefined}
      data-alone={isAlone || undefined}
    >
      <div className={classes.stage}>
        {glowUrl && (
          // Lazy, as it is not displayed on phones.
          <img className={classes.glow} src={glowUrl} alt="" aria-hidden="true" loading="lazy" />
        )}
        <div className={classes.picture} ref={slot}>
          {slots.screen}
        </div>
      </div>
      <div className={classes.about}>{slots.about}</div>
      {slots.live}
      <div className={classes.comments}>{slots.comments}</div>
      {!isAlone && (
        <aside className={classes.side}>
          {slots.queue && <div className={classes.queue}>{slots.queue}</div>}
          <div className={classes.recommended}>{slots.recommended}</div>
        </aside>
      )}
    </div>
  )
}
