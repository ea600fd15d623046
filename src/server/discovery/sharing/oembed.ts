import { embedCode, embedSize } from '#shared/embed-code.ts'
import type { Size } from '#shared/picture-fit.ts'
import type { SharedVideo } from './sharing.queries.ts'
import type { Surroundings } from './video-tags.ts'
import { element, textElement, xmlDocument } from './xml.ts'

type OembedAnswer = Record<string, string | number>
export type Thumbnail = { url: string } & Size

/** Type `video` of https://oembed.com. */
export function describeOembed(
  video: SharedVideo,
  input: Surroundings & {
    room: Partial<Size>
    thumbnail: Thumbnail | undefined
    /** The whole video by default. */
    clip?: { id: number; title: string } | undefined
  },
): OembedAnswer {
  const { origin, siteName, room, thumbnail, clip } = input
  const size = embedSize(video, room)
  const { channel } = video
  const title = clip?.title ?? video.title
  const src = clip ? `${origin}/embed/clip/${clip.id}` : `${origin}/embed/${video.id}`
  return {
    version: '1.0',
    type: 'video',
    provider_name: siteName,
    provider_url: `${origin}/`,
    title,
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
    html: embedCode({ src, title, ...size }),
  }
}

export function renderOembedXml(answer: OembedAnswer): string {
  const children = Object.entries(answer).map(([name, value]) => textElement(name, value))
  return xmlDocument(element('oembed', {}, children))
}
