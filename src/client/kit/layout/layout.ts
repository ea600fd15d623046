import styles from './layout.module.css'

/** The class names of kinds of text. */
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

/** The class names of children in a line, centred across it unless an option says otherwise. */
export const row = (gap: Gap, ...options: Option[]) => join(styles.row, gap, options)

/** The class names of children in as many lines as they need, all of a line equally high. */
export const wrapped = (gap: Gap, ...options: Option[]) => join(styles.wrapped, gap, options)

/** The class names of children below each other, each as high as its content. */
export const column = (gap: Gap, ...options: Option[]) => join(styles.column, gap, options)

/** The class names of a grid of one column, which is never wider than its place. */
export const stack = (gap: Gap) => join(styles.stack, gap, [])

/** Centres one child in both directions. */
export const centred = styles.centred

/** The part of a row that takes the room that is left; its text is cut off or wraps. */
export const fill = styles.fill

/** A box that stands out from the page. */
export const framed = styles.framed
