const SMALL_PX = 480
const FRAME = 16 / 9
const FULL_BOX = { width: 1280, height: 720 }

/** How wide a card's picture is laid out: one column on phones, else columns of 280 pixels and a little more. */
export const CARD_SIZES = '(max-width: 639px) 94vw, 340px'

type Posters = {
  thumbnailUrl: string | null
  cardUrl: string | null
  width: number | null
  height: number | null
}

/**
 * The picture of a video for `<img>`: the small WebP, and the full JPEG for where it is shown larger or on a
 * dense screen. `src` is null when there is neither.
 */
export function posterOf(video: Posters): { src: string | null; srcSet?: string } {
  const { thumbnailUrl, cardUrl } = video
  if (!thumbnailUrl || !cardUrl) return { src: cardUrl ?? thumbnailUrl }
  const shape = (video.width || 16) / (video.height || 9)
  const small = frameWidth(Math.min(SMALL_PX, SMALL_PX * shape), shape)
  const full = frameWidth(Math.min(FULL_BOX.width, FULL_BOX.height * shape), shape)
  return { src: cardUrl, srcSet: `${cardUrl} ${small}w, ${thumbnailUrl} ${full}w` }
}

/** How wide a 16 : 9 frame is that shows a picture whole; the browser compares it with `sizes`. */
function frameWidth(width: number, shape: number): number {
  return Math.round(Math.max(width, (width / shape) * FRAME))
}
