import { framed } from '../layout/layout.ts'
import classes from './stat-tile.module.css'

/** For a box with a number and its label. */
export const statTile = `${framed} ${classes.tile}`

export const statValue = classes.value
