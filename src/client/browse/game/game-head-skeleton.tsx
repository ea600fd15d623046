import { look } from '#client/kit/layout/layout.ts'
import classes from './game-head-skeleton.module.css'

/** As high as the head of a game. */
export function GameHeadSkeleton() {
  return <div className={`${classes.head} ${look('skeletonGround')}`} aria-hidden="true" />
}
