import styles from './layout.module.css'

export { default as textStyles } from './text.module.css'

type Space = 0 | 2 | 4 | 8 | 12 | 16 | 24 | 32
/** Pixels between the children; the first of two is the gap between lines that wrap. */
type Gap = Space | readonly [rowGap: 0 | 4 | 8 | 12, columnGap: Space]
type Option =
  | 'wrap'
  // Along the row or column (justify-content).
  | 'between'
  | 'middle'
  | 'end'
  // Across it (align-items).
  | 'start'
  | 'centre'
  | 'baseline'
  | 'stretch'
  // Takes the remaining room.
  | 'fill'
  // May be narrower than its content.
  | 'shrink'

function join(name: string | undefined, gap: Gap, options: readonly Option[]): string {
  const [rowGap, columnGap] = typeof gap === 'number' ? [undefined, gap] : gap
  const names = [
    name,
    columnGap > 0 && styles[`gap${columnGap}`],
    rowGap !== undefined && styles[`rowGap${rowGap}`],
    ...options.map((option) => styles[option]),
  ]
  return names.filter(Boolean).join(' ')
}

/** Centred vertically unless an option says otherwise. */
export const row = (gap: Gap, ...options: Option[]) => join(styles.row, gap, options)

/** Wraps; items of a line have equal height. */
export const wrapped = (gap: Gap, ...options: Option[]) => join(styles.wrapped, gap, options)

export const column = (gap: Gap, ...options: Option[]) => join(styles.column, gap, options)

/** One column that never exceeds its container. */
export const stack = (gap: Gap) => join(styles.stack, gap, [])

/** In both directions. */
export const centred = styles.centred

/** Takes the remaining width; its text is cut off or wraps. */
export const fill = styles.fill

export const framed = styles.framed
