/** Pixels; the frame around a card's picture is 16 : 9. */
export const CARD_WIDTHS = [320, 640, 960] as const
type CardWidth = (typeof CARD_WIDTHS)[number]

/** `cardUrl` names this width. */
const MIDDLE_WIDTH = 640

/** One column on phones, otherwise columns from 280 pixels. */
export const CARD_SIZES = '(max-width: 639px) 94vw, 340px'

/** The width of the large picture at the top of the home page. */
export const HERO_SIZES = '(max-width: 767px) 100vw, min(62vw, max(760px, 93vh))'

/** Before the mark that makes a file name unique. */
const CARD_END = /-card(?=(-[0-9a-f]{12})?\.webp$)/

/** Width by height of the frame. */
export const CARD_FRAME = 16 / 9
/** Above this share a picture is shown whole instead of cropped. */
const CROP_MAX = 0.04

type Posters = {
  thumbnailUrl: string | null
  cardUrl: string | null
  preview: string | null
}

type Poster = {
  /** Null without any picture. */
  src: string | null
  srcSet?: string
  /** Data URL of a few pixels. */
  previewUrl?: string
}

export function cardFileName(name: string, width: CardWidth = MIDDLE_WIDTH): string {
  return width === MIDDLE_WIDTH ? `${name}-card.webp` : `${name}-card-${width}.webp`
}

/** Cards with a preview have all widths; those of older versions one of 480 pixels. */
export function posterOf({ thumbnailUrl, cardUrl, preview }: Posters): Poster {
  if (!cardUrl || !preview) return { src: cardUrl ?? thumbnailUrl }
  const set = CARD_WIDTHS.map((width) => `${cardAddress(cardUrl, width)} ${width}w`)
  const previewUrl = `data:image/webp;base64,${preview}`
  return { src: cardUrl, srcSet: set.join(', '), previewUrl }
}

/** Behind a video that is about to play. */
export function playerPosterOf({ thumbnailUrl, cardUrl, preview }: Posters): string | null {
  return cardUrl && preview ? cardAddress(cardUrl, 960) : thumbnailUrl
}

/** Blurred around a picture; the preview is enough for it, and needs no request. */
export function glowOf(video: Posters): string | null {
  const { previewUrl, src } = posterOf(video)
  return previewUrl ?? src
}

function cardAddress(cardUrl: string, width: CardWidth): string {
  return width === MIDDLE_WIDTH ? cardUrl : cardUrl.replace(CARD_END, `-card-${width}`)
}

/** @returns false while the size is unknown */
export function isOtherShape(
  size: { width: number | null; height: number | null } | undefined,
): boolean {
  if (!size?.width || !size.height) return false
  const shape = size.width / size.height
  return 1 - Math.min(shape / CARD_FRAME, CARD_FRAME / shape) > CROP_MAX
}
