import layout from './layout.module.css'
import surface from './surface.module.css'
import text from './text.module.css'

const styles = { ...layout, ...surface, ...text }

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
  // Both axes.
  | 'centred'
  // A child that takes the remaining room, or may be narrower than its content.
  | 'grow'
  | 'fill'
  | 'shrink'
  // Width and place of a child.
  | 'noShrink'
  | 'fullWidth'
  | 'marginStartAuto'
  | 'marginEndAuto'
  // A child of a grid spans all columns; rows stay at the top.
  | 'across'
  | 'atTop'

type Box =
  // `coverAnchor` covers the nearest `relative` ancestor.
  | 'relative'
  | 'coverAnchor'
  // Minimum height of a touch target, sizes of controls.
  | 'touch'
  | 'small'
  | 'control'
  | 'square'
  | 'fullHeight'
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
  | 'nextSection'
  // Borders: of a card with its surface, square, of a control.
  | 'framed'
  | 'bordered'
  | 'outlined'
  // Corners of a control, of a card, and round ones.
  | 'rounded'
  | 'card'
  | 'pill'
  | 'surface'
  | 'ground'
  | 'skeletonGround'
  // Over a picture.
  | 'scrim'
  | `soft${'' | 'Info' | 'Pulse'}`
  // While the mouse is over it.
  | 'hoverable'
  | 'hoverText'
  | 'hoverUnderline'
  | 'noUnderline'

type Text =
  // Smaller and weaker than the text around it.
  | 'note'
  | 'fine'
  | 'muted'
  | 'problem'
  // Colours.
  | 'textColor'
  | 'errorColor'
  | 'accentColor'
  | 'infoColor'
  | 'strong'
  | 'regular'
  | 'display'
  | 'bodyFont'
  | 'breakWords'
  | 'nowrap'
  | 'oneLine'
  | 'twoLines'
  // Line breaks of the text stay; `prose` also limits the line length.
  | 'preserveLines'
  | 'prose'
  | 'hiddenWhenEmpty'
  // Hidden on touch screens, such as hints about keys.
  | 'mouseOnly'
  | 'tightLines'
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

/** Styles an element that does not arrange its children. */
export const look = (...options: Option[]) => join(undefined, 0, options)
