import layout from './layout.module.css'
import text from './text.module.css'

const styles = { ...layout, ...text }

type Space = 0 | 2 | 4 | 8 | 12 | 16 | 24 | 32
/** Pixels between the children; the first of two is the gap between lines that wrap. */
type Gap = Space | readonly [rowGap: 0 | 4 | 8 | 12, columnGap: Space]
type Option = Arrangement | Box | Ground | Text

type Arrangement =
  | 'wrap'
  | 'inline'
  // Along the row or column (justify-content).
  | 'between'
  | 'middle'
  | 'end'
  // Across it (align-items).
  | 'start'
  | 'centre'
  | 'baseline'
  | 'stretch'
  // In both directions.
  | 'centred'
  // Of a child: takes the remaining room, and may then be narrower than its content.
  | 'grow'
  | 'fill'
  | 'shrink'
  // Keeps its width, has the whole line, is moved to the end, moves others there.
  | 'rigid'
  | 'full'
  | 'pushed'
  | 'pushes'
  // In a grid: the whole line; rows at the top where there is room for more.
  | 'across'
  | 'atTop'

type Box =
  // `over` covers the nearest `anchor`.
  | 'anchor'
  | 'over'
  // At least as high as a control, just as high, and as wide.
  | 'touch'
  | 'small'
  | 'control'
  | 'square'
  | 'tall'
  | 'max760'
  // The width of a page, in the middle of the window.
  | 'page'
  | 'widePage'
  | 'block'
  // Cuts off what is outside; so does a frame of 16 : 9, and a picture that fills its frame.
  | 'clipped'
  | 'widescreen'
  | 'cropped'
  // Margins and paddings in pixels.
  | `${'above' | 'below'}${4 | 8 | 12 | 16 | 24}`
  | `pad${8 | 12 | 16 | 24 | '4x8' | '8x12' | '12x16'}`
  | `padX${8 | 12 | 16}`

type Ground =
  // Lines; `apart` is a section below others.
  | 'ruleAbove'
  | 'ruleBelow'
  | 'apart'
  // Around it: with the corners of a card and the surface, with none, with those of a control.
  | 'framed'
  | 'bordered'
  | 'outlined'
  // Corners of a control, of a card, and round ones.
  | 'rounded'
  | 'card'
  | 'pill'
  | 'surface'
  | 'ground'
  | 'skeletal'
  // Over a picture.
  | 'scrim'
  | `soft${'' | 'Info' | 'Pulse'}`
  // Under the mouse: a ground, the colour of text, an underline, none.
  | 'hoverable'
  | 'brightens'
  | 'underlines'
  | 'unlined'

type Text =
  // Smaller and weaker than the text around it.
  | 'note'
  | 'fine'
  | 'muted'
  | 'problem'
  // The colour alone: of text, pulse, volt, info.
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
  | 'nowrap'
  | 'oneLine'
  | 'twoLines'
  // Keeps the lines of its writer; in `prose` they are short, too.
  | 'written'
  | 'prose'
  // Not there while it is empty.
  | 'said'
  // About keys: only where there is a mouse.
  | 'forKeys'
  | 'tight'
  | 'centredText'
  | 'pageHeading'
  | 'heading'
  | 'smallHeading'
  // The heading of a field among others.
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
