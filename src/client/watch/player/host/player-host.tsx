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
 * Holds the player above the pages, so that its `<video>` stays the same element from page to page. Over the watch
 * page it lies where that leaves room for it; elsewhere it is the mini player.
 * See docs/decisions/0032-the-player-outlives-its-page.md.
 */
export function PlayerHost() {
  const [{ shown, slot }, follow] = useState(playerHost)
  // Subscribed before the page's own layout effects, which call for a player: it is drawn in the same frame as the page.
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
