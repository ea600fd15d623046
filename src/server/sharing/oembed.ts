import { escapeMarkup } from './head-tags.ts'
import { displayedSize, fitWithin, type Size } from './picture-fit.ts'
import type { SharedVideo } from './sharing.queries.ts'
import type { Surroundings } from './video-tags.ts'
import { element, textElement, xmlDocument } from './xml.ts'

/** What an embedded player measures unless less room is given, in pixels. */
const PLAYER_BOX = { width: 960, height: 640 }

export type OembedAnswer = Record<string, string | number>
export type Thumbnail = { url: string } & Size

/** The size of an embedded player: the video's shape, within what the asking page has room for. */
export function embedSize(video: SharedVideo, room: Partial<Size> = {}): Size {
  const { width, height } = displayedSize(video)
  // A small video may be shown larger than it is.
  const large = { width: width * 10, height: height * 10 }
  return fitWithin(large, {
    width: Math.min(PLAYER_BOX.width, room.width ?? PLAYER_BOX.width),
    height: Math.min(PLAYER_BOX.height, room.height ?? PLAYER_BOX.height),
  })
}

/** The code that puts a video on somebody's page. */
export function embedCode(video: SharedVideo, input: { origin: string } & Size): string {
  const src = `${input.origin}/embed/${video.id}`
  const title = escapeMarkup(video.title)
  return `<iframe src="${src}" width="${input.width}" height="${input.height}" title="${title}" style="border:0" loading="lazy" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`
}

/** An answer of type `video` as https://oembed.com defines it. */
export function describeOembed(
  video: SharedVideo,
  input: Surroundings & { room: Partial<Size>; thumbnail: Thumbnail | undefined },
): OembedAnswer {
  const { origin, siteName, room, thumbnail } = input
  const size = embedSize(video, room)
  const { channel } = video
  return {
    version: '1.0',
    type: 'video',
    provider_name: siteName,
    provider_url: `${origin}/`,
    title: video.title,
    ...(channel && {
      author_name: channel.displayName,
      author_url: `${origin}/profile/${channel.id}`,
    }),
    ...size,
    ...(thumbnail && {
      thumbnail_url: origin + thumbnail.url,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
    html: embedCode(video, { origin, ...size }),
  }
}

export function renderOembedXml(answer: OembedAnswer): string {
  const children = Object.entries(answer).map(([name, value]) => textElement(name, value))
  return xmlDocument(element('oembed', {}, children))
}
