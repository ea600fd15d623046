import { look } from '#client/kit/layout/layout.ts'
import classes from './game-head-skeleton.module.css'

/** Reserves the height of `GameHead`. */
export function GameHeadSkeleton() {
  return <div className={`${classes.head} ${look('skeletonGround')}`} aria-hidden="true" />
}
