import type { ReactNode } from 'react'
import type { Category } from '#shared/limits.ts'
import classes from './game-facts.module.css'

type GameFactsProps = { category: Category; children: ReactNode }

/**
 * Shows one line of facts after the game and its dot. The dot takes its colour from the nearest
 * element with `data-game`.
 */
export function GameFacts({ category, children }: GameFactsProps) {
  return (
    <span className={classes.facts}>
      <span className={classes.game}>{category}</span>
      <span className={classes.rest}>{children}</span>
    </span>
  )
}

/** Shows the name of a game after a dot in its colour. */
export function GameName({ name }: { name: Category }) {
  return (
    <span className={classes.game} data-game={name}>
      {name}
    </span>
  )
}
