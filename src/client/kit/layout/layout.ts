import layout from './layout.module.css'
import text from './text.module.css'

const styles = { ...layout, ...text }

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
  | 'inline'
  | Box
  | Text

type Box =
  // Room in the row: takes what is left, keeps its width, has the whole line, stands at the end, pushes others there.
  | 'grow'
  | 'rigid'
  | 'full'
  | 'pushed'
  | 'pushes'
  // `over` covers the nearest `anchor`.
  | 'anchor'
  | 'over'
  | 'centred'
  // In a grid: the whole line; rows at the top where there is room for more.
  | 'across'
  | 'atTop'
  // At least as high as a control, just as high, and as wide.
  | 'touch'
  | 'small'
  | 'control'
  | 'square'
  | 'tall'
  | 'max760'
  | 'block'
  | 'clipped'
  | 'widescreen'
  | 'cropped'
  // Margins and paddings in pixels.
  | `${'above' | 'below'}${4 | 8 | 12 | 16 | 24}`
  | `pad${8 | 12 | 16 | 24 | '4x8' | '8x12' | '12x16'}`
  | `padX${8 | 12 | 16}`
  // Lines; `apart` is a section below others.
  | 'ruleAbove'
  | 'ruleBelow'
  | 'apart'
  | 'framed'
  | 'bordered'
  | 'outlined'
  // Corners of a control, of a card, and round ones.
  | 'rounded'
  | 'card'
  | 'pill'
  // Grounds; `scrim` is over a picture.
  | 'surface'
  | 'ground'
  | 'scrim'
  | 'skeletal'
  | `soft${'' | 'Info' | 'Pulse'}`
  | 'page'
  | 'widePage'
  // Under the mouse: a ground, the colour of text, an underline, none.
  | 'hoverable'
  | 'brightens'
  | 'underlines'
  | 'unlined'

type Text =
  | 'note'
  | 'fine'
  | 'muted'
  | 'problem'
  | 'bright'
  | 'wrong'
  | 'good'
  | 'linked'
  | 'strong'
  | 'regular'
  | 'display'
  // A part of a heading that is none.
  | 'plain'
  | 'breaks'
  | 'oneLine'
  | 'twoLines'
  | 'nowrap'
  // Keeps the lines of its writer; in `prose` they are short, too.
  | 'written'
  | 'prose'
  // Not there while it is empty.
  | 'said'
  // Of keys that a device with a mouse has.
  | 'forKeys'
  | 'tight'
  | 'centredText'
  | 'pageHeading'
  | 'heading'
  | 'smallHeading'
  | 'label'
  | `size${12 | 13 | 22 | 28}`

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
export const stack = (gap: Gap, ...options: Option[]) => join(styles.stack, gap, options)

/** Picture or icon, and what takes the remaining width. */
export const beside = (gap: Gap, ...options: Option[]) => join(styles.beside, gap, options)

/** Of an element without a layout of its own. */
export const look = (...options: Option[]) => join(undefined, 0, options)
