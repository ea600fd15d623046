import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import { displayedSize, fitWithin } from '#shared/picture-fit.ts'
import { formatDuration } from '#shared/text/format.ts'
import { cutDescription } from '#shared/text/share-text.ts'
import { type HeadTag, named, property } from './head-tags.ts'
import type { SharedVideo } from './sharing.queries.ts'

export type Surroundings = { origin: string; siteName: string }

/** Pixels. */
export const PLAYER_BOX = { width: 1280, height: 720 }

/** A picture where the owner wants no player in chats. */
export function videoTags(video: SharedVideo, { origin, siteName }: Surroundings): HeadTag[] {
  const pageUrl = `${origin}/video/${video.id}`
  const description = cutDescription(video.description)
  const imageUrl = video.thumbnailUrl && origin + video.thumbnailUrl
  const tags: HeadTag[] = [
    { tag: 'title', text: `${video.title} · ${siteName}` },
    named('description', description || describe(video)),
    ...(video.isListed ? [] : [named('robots', 'noindex')]),
    { tag: 'link', rel: 'canonical', href: pageUrl },
    property('og:site_name', siteName),
    property('og:type', 'video.other'),
    property('og:title', video.title),
    property('og:description', description),
    property('og:url', pageUrl),
    ...(imageUrl ? imageTags(imageUrl, video.title) : []),
    ...(video.discordEmbed ? fileTags(video, origin) : []),
    property('video:duration', String(video.duration)),
    property('video:release_date', video.publishedAt),
    ...video.tags.map((tag) => property('video:tag', tag)),
    ...cardTags(video, { origin, description, imageUrl }),
    ...oembedLinks(pageUrl, video.title),
    ...feedLinks(video, { origin, siteName }),
    { tag: 'json-ld', data: videoObject(video, { origin, siteName }) },
  ]
  return tags
}

function describe({ title, category, channel, duration }: SharedVideo): string {
  const what = category === DEFAULT_CATEGORY ? 'video' : `${category} video`
  const length = duration > 0 ? `, ${formatDuration(duration)}` : ''
  return cutDescription(`${title}: ${what}${channel ? ` by ${channel.displayName}` : ''}${length}`)
}

export function imageTags(imageUrl: string, alt: string): HeadTag[] {
  return [
    property('og:image', imageUrl),
    property('og:image:type', imageUrl.endsWith('.png') ? 'image/png' : 'image/jpeg'),
    property('og:image:alt', alt),
  ]
}

export function fileTags(
  video: Pick<SharedVideo, 'playable' | 'width' | 'height'>,
  origin: string,
): HeadTag[] {
  if (!video.playable) return []
  const url = origin + video.playable.url
  const { width, height } = fitWithin(displayedSize(video), PLAYER_BOX)
  return [
    property('og:video', url),
    property('og:video:url', url),
    ...(url.startsWith('https:') ? [property('og:video:secure_url', url)] : []),
    property('og:video:type', 'video/mp4'),
    property('og:video:width', String(width)),
    property('og:video:height', String(height)),
  ]
}

function cardTags(
  video: SharedVideo,
  card: { origin: string; description: string; imageUrl: string | null },
): HeadTag[] {
  const { origin, description, imageUrl } = card
  const { width, height } = fitWithin(displayedSize(video), PLAYER_BOX)
  const player: HeadTag[] = [
    named('twitter:player', `${origin}/embed/${video.id}`),
    named('twitter:player:width', String(width)),
    named('twitter:player:height', String(height)),
    ...(video.playable
      ? [
          named('twitter:player:stream', origin + video.playable.url),
          named('twitter:player:stream:content_type', 'video/mp4'),
        ]
      : []),
  ]
  return [
    named('twitter:card', video.discordEmbed ? 'player' : 'summary_large_image'),
    named('twitter:title', video.title),
    named('twitter:description', description),
    ...(imageUrl
      ? [named('twitter:image', imageUrl), named('twitter:image:alt', video.title)]
      : []),
    ...(video.discordEmbed ? player : []),
  ]
}

export function oembedLinks(pageUrl: string, title: string): HeadTag[] {
  const origin = new URL(pageUrl).origin
  return (['json', 'xml'] as const).map((format) => ({
    tag: 'link',
    rel: 'alternate',
    type: format === 'json' ? 'application/json+oembed' : 'text/xml+oembed',
    href: `${origin}/oembed?${new URLSearchParams({ url: pageUrl, format })}`,
    title,
  }))
}

function feedLinks(video: SharedVideo, { origin, siteName }: Surroundings): HeadTag[] {
  const { channel } = video
  const own = channel
    ? [feedLink(`${origin}/feeds/channel/${channel.id}.xml`, channel.displayName)]
    : []
  return [feedLink(`${origin}/feeds/videos.xml`, siteName), ...own]
}

export function feedLink(href: string, title: string): HeadTag {
  return { tag: 'link', rel: 'alternate', type: 'application/rss+xml', href, title }
}

/** https://schema.org/VideoObject */
function videoObject(video: SharedVideo, { origin }: Surroundings): object {
  const { channel, description, duration } = video
  return {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: video.title,
    description: description || video.title,
    url: `${origin}/video/${video.id}`,
    embedUrl: `${origin}/embed/${video.id}`,
    ...(video.videoFile && { contentUrl: origin + video.videoFile.url }),
    ...(video.thumbnailUrl && { thumbnailUrl: [origin + video.thumbnailUrl] }),
    uploadDate: video.publishedAt,
    duration: isoDuration(duration),
    ...(video.width && video.height && { width: video.width, height: video.height }),
    genre: video.category,
    ...(video.tags.length > 0 && { keywords: video.tags.join(', ') }),
    ...(channel && {
      author: {
        '@type': 'Person',
        name: channel.displayName,
        url: `${origin}/profile/${channel.id}`,
      },
    }),
    interactionStatistic: [
      counter('WatchAction', video.viewCount),
      counter('LikeAction', video.likeCount),
    ],
  }
}

export function counter(action: string, count: number): object {
  return {
    '@type': 'InteractionCounter',
    interactionType: { '@type': action },
    userInteractionCount: count,
  }
}

/** ISO 8601, such as 'PT1H2M3S'. */
export function isoDuration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  return `PT${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${seconds % 60}S`
}
