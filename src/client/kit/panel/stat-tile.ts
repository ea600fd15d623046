import { framed } from '../layout/layout.ts'
import classes from './stat-tile.module.css'

/** The class names of a box with one number and what it counts. */
export const statTile = `${framed} ${classes.tile}`

/** The class name of its number. */
export const statValue = classes.value
