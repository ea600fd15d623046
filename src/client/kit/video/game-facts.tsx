import type { ReactNode } from 'react'
import { type Category, DEFAULT_CATEGORY } from '#shared/limits.ts'
import classes from './game-facts.module.css'

type GameFactsProps = { category: Category; children: ReactNode }

/** One line of facts, after the game with its dot. In an element with `data-game`. */
export function GameFacts({ category, children }: GameFactsProps) {
  if (category === DEFAULT_CATEGORY) return children
  return (
    <span className={classes.facts}>
      <span className={classes.game}>{category}</span>
      <span className={classes.rest}>{children}</span>
    </span>
  )
}

/** With its dot. */
export function GameName({ name }: { name: Category }) {
  return (
    <span className={classes.game} data-game={name}>
      {name}
    </span>
  )
}
