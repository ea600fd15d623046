import { displayedSize, fitWithin } from '#shared/picture-fit.ts'
import type { SharedVideo } from './sharing.queries.ts'
import { element, textElement, xmlDocument } from './xml.ts'

const NAMESPACES = {
  version: '2.0',
  'xmlns:atom': 'http://www.w3.org/2005/Atom',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:media': 'http://search.yahoo.com/mrss/',
}
const TTL_MINUTES = 15
const SHARE_BOX = { width: 1280, height: 720 }

export type Feed = {
  title: string
  description: string
  pagePath: string
  selfPath: string
  videos: SharedVideo[]
}

/** RSS 2.0 with Media RSS, for podcast and feed apps. */
export function renderFeed(feed: Feed, origin: string): string {
  const [newest] = feed.videos
  const channel = element('channel', {}, [
    textElement('title', feed.title),
    textElement('link', origin + feed.pagePath),
    textElement('description', feed.description),
    element('atom:link', {
      href: origin + feed.selfPath,
      rel: 'self',
      type: 'application/rss+xml',
    }),
    textElement('generator', 'Clutch'),
    textElement('ttl', TTL_MINUTES),
    ...(newest ? [textElement('pubDate', rssDate(newest.publishedAt))] : []),
    ...feed.videos.map((video) => renderItem(video, origin)),
  ])
  return xmlDocument(element('rss', NAMESPACES, [channel]))
}

function renderItem(video: SharedVideo, origin: string): string {
  const url = `${origin}/video/${video.id}`
  return element('item', {}, [
    textElement('title', video.title),
    textElement('link', url),
    textElement('guid', url, { isPermaLink: 'true' }),
    textElement('pubDate', rssDate(video.publishedAt)),
    textElement('description', video.description || video.title),
    ...(video.channel ? [textElement('dc:creator', video.channel.displayName)] : []),
    ...[video.category, ...video.tags].map((name) => textElement('category', name)),
    ...renderMedia(video, origin),
  ])
}

function renderMedia(video: SharedVideo, origin: string): string[] {
  const file = video.playable ?? video.videoFile
  const size = displayedSize(video)
  const shown = video.playable ? fitWithin(size, SHARE_BOX) : size
  const about = [
    textElement('media:title', video.title, { type: 'plain' }),
    ...(video.description
      ? [textElement('media:description', video.description, { type: 'plain' })]
      : []),
    element('media:player', { url: `${origin}/embed/${video.id}` }),
    ...(video.thumbnailUrl
      ? [element('media:thumbnail', { url: origin + video.thumbnailUrl })]
      : []),
  ]
  if (!file) return about
  const url = origin + file.url
  const content = {
    url,
    type: 'video/mp4',
    medium: 'video',
    fileSize: file.bytes ?? undefined,
    duration: video.duration,
    ...shown,
  }
  return [
    element('enclosure', { url, length: file.bytes ?? 0, type: 'video/mp4' }),
    element('media:content', content, about),
  ]
}

/** RFC 822 with a four-digit year. */
function rssDate(time: string): string {
  return new Date(time).toUTCString()
}
