const SMALL_PX = 480
const FRAME = 16 / 9
const FULL_BOX = { width: 1280, height: 720 }

/** One column on phones, otherwise columns from 280 pixels. */
export const CARD_SIZES = '(max-width: 639px) 94vw, 340px'

type Posters = {
  thumbnailUrl: string | null
  cardUrl: string | null
  width: number | null
  height: number | null
}

/** `src` is null without either picture. */
export function posterOf(video: Posters): { src: string | null; srcSet?: string } {
  const { thumbnailUrl, cardUrl } = video
  if (!thumbnailUrl || !cardUrl) return { src: cardUrl ?? thumbnailUrl }
  const shape = (video.width || 16) / (video.height || 9)
  const small = frameWidth(Math.min(SMALL_PX, SMALL_PX * shape), shape)
  const full = frameWidth(Math.min(FULL_BOX.width, FULL_BOX.height * shape), shape)
  return { src: cardUrl, srcSet: `${cardUrl} ${small}w, ${thumbnailUrl} ${full}w` }
}

/** `sizes` refers to the 16 : 9 frame around a picture. */
function frameWidth(width: number, shape: number): number {
  return Math.round(Math.max(width, (width / shape) * FRAME))
}
