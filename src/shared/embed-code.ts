import { displayedSize, fitWithin, type Size } from './picture-fit.ts'

/** Default size in pixels. */
const PLAYER_BOX = { width: 960, height: 640 }

/** Fits the video's shape into `room`. */
export function embedSize(
  video: { width: number | null; height: number | null },
  room: Partial<Size> = {},
): Size {
  const { width, height } = displayedSize(video)
  // Small videos may be enlarged.
  const large = { width: width * 10, height: height * 10 }
  return fitWithin(large, {
    width: Math.min(PLAYER_BOX.width, room.width ?? PLAYER_BOX.width),
    height: Math.min(PLAYER_BOX.height, room.height ?? PLAYER_BOX.height),
  })
}

export function embedCode(frame: { src: string; title: string } & Size): string {
  const { src, title, width, height } = frame
  return `<iframe src="${escapeMarkup(src)}" width="${width}" height="${height}" title="${escapeMarkup(title)}" style="border:0" loading="lazy" allow="autoplay; fullscreen; picture-in-picture; screen-wake-lock" allowfullscreen></iframe>`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes for text and quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
