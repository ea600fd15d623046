import { useEffect, useLayoutEffect, useState } from 'react'
import {
  endPlayer,
  keyOf,
  playerFrame,
  playerHost,
  subscribeToPlayerHost,
} from './hosted-player.ts'
import classes from './player-host.module.css'

/**
 * Keeps the `<video>` element across pages: over the watch page's slot, or as mini player
 * elsewhere. See docs/decisions/0032-the-player-outlives-its-page.md.
 */
export function PlayerHost() {
  const [{ shown, slot }, follow] = useState(playerHost)
  // Subscribes before the page's layout effects, so that player and page appear in the same frame.
  useLayoutEffect(() => {
    follow(playerHost())
    return subscribeToPlayerHost(() => follow(playerHost()))
  }, [])
  useEffect(() => endPlayer, [])
  const isMini = shown !== null && slot === null
  return (
    <section
      ref={playerFrame}
      className={classes.frame}
      aria-label={isMini ? 'Mini player' : 'Player'}
      data-mini={isMini || undefined}
      hidden={!shown && !slot}
    >
      {shown && <shown.Layer key={keyOf(shown)} {...{ shown, isMini }} frame={playerFrame} />}
    </section>
  )
}
