import { look } from '../layout/layout.ts'
import classes from './stat-tile.module.css'

/** For a box with a number and its label. */
export const statTile = `${look('framed')} ${classes.tile}`

export const statValue = classes.value
