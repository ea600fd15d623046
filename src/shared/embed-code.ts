import { displayedSize, fitWithin, type Size } from './picture-fit.ts'

/** What an embedded player measures unless less room is given, in pixels. */
const PLAYER_BOX = { width: 960, height: 640 }

/** The size of an embedded player: the video's shape, within what the page around it has room for. */
export function embedSize(
  video: { width: number | null; height: number | null },
  room: Partial<Size> = {},
): Size {
  const { width, height } = displayedSize(video)
  // A small video may be shown larger than it is.
  const large = { width: width * 10, height: height * 10 }
  return fitWithin(large, {
    width: Math.min(PLAYER_BOX.width, room.width ?? PLAYER_BOX.width),
    height: Math.min(PLAYER_BOX.height, room.height ?? PLAYER_BOX.height),
  })
}

/** The HTML that puts a player on a member's page. */
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

/** Makes text safe between tags and in quoted attributes, of HTML and XML alike. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
