import type { Playlist } from '#shared/schemas/library.schemas.ts'
import type { User } from '#shared/schemas/user.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { cutDescription } from '#shared/text/share-text.ts'
import { type HeadTag, named, property } from './head-tags.ts'
import { counter, feedLink, imageTags, type Surroundings } from './video-tags.ts'

const NO_INDEX = 'noindex'

const ICON = '/icons/icon-512.png'

const SITE_PAGES = {
  home: { path: '/', name: undefined },
  explore: { path: '/explore', name: 'Explore' },
  clips: { path: '/clips', name: 'Clips' },
}
export type SitePage = keyof typeof SITE_PAGES

export function siteTags(
  { origin, siteName }: Surroundings,
  site: { page: SitePage; tagline: string; logoUrl: string | null },
): HeadTag[] {
  const { path, name } = SITE_PAGES[site.page]
  const title = name ? `${name} · ${siteName}` : siteName
  const description = site.tagline || 'Share your gaming content with the community'
  const pageUrl = origin + path
  const imageUrl = origin + (site.logoUrl ?? ICON)
  return [
    { tag: 'title', text: title },
    named('description', description),
    { tag: 'link', rel: 'canonical', href: pageUrl },
    property('og:site_name', siteName),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', pageUrl),
    ...imageTags(imageUrl, siteName),
    ...cardOf({ title, description, imageUrl, card: 'summary' }),
    feedLink(`${origin}/feeds/videos.xml`, siteName),
  ]
}

export function searchTags(query: string, { origin, siteName }: Surroundings): HeadTag[] {
  const feed = `${origin}/feeds/search.xml?${new URLSearchParams({ q: query })}`
  return [
    { tag: 'title', text: siteName },
    named('robots', NO_INDEX),
    ...(query ? [feedLink(feed, `${query} · ${siteName}`)] : []),
  ]
}

export function channelTags(channel: User, { origin, siteName }: Surroundings): HeadTag[] {
  const { id, displayName, username, bio } = channel
  const pageUrl = `${origin}/profile/${id}`
  const description = cutDescription(bio || `Videos by ${displayName} (@${username})`)
  const picture = channel.avatarUrl ?? channel.bannerUrl
  const imageUrl = picture && origin + picture
  const title = `${displayName} · ${siteName}`
  return [
    { tag: 'title', text: title },
    named('description', description),
    { tag: 'link', rel: 'canonical', href: pageUrl },
    property('og:site_name', siteName),
    property('og:type', 'profile'),
    property('og:title', displayName),
    property('og:description', description),
    property('og:url', pageUrl),
    property('profile:username', username),
    ...(imageUrl ? imageTags(imageUrl, displayName) : []),
    ...cardOf({ title: displayName, description, imageUrl, card: 'summary' }),
    feedLink(`${origin}/feeds/channel/${id}.xml`, displayName),
    { tag: 'json-ld', data: profilePage(channel, { pageUrl, description, imageUrl }) },
  ]
}

function profilePage(
  channel: User,
  page: { pageUrl: string; description: string; imageUrl: string | null },
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ProfilePage',
    url: page.pageUrl,
    dateCreated: channel.createdAt,
    mainEntity: {
      '@type': 'Person',
      name: channel.displayName,
      alternateName: channel.username,
      identifier: String(channel.id),
      url: page.pageUrl,
      description: page.description,
      ...(page.imageUrl && { image: page.imageUrl }),
      interactionStatistic: counter('FollowAction', channel.subscriberCount),
    },
  }
}

export function playlistTags(
  playlist: Playlist & { videos: Video[] },
  { origin, siteName }: Surroundings,
): HeadTag[] {
  const { id, title, videos, videoCount, owner } = playlist
  const pageUrl = `${origin}/playlist/${id}`
  const count = videoCount === 1 ? '1 video' : `${videoCount} videos`
  const description = cutDescription(playlist.description || `${count}, by ${owner.displayName}`)
  const picture = videos.find(({ thumbnailUrl }) => thumbnailUrl)?.thumbnailUrl
  const imageUrl = picture ? origin + picture : null
  return [
    { tag: 'title', text: `${title} · ${siteName}` },
    named('description', description),
    ...(playlist.visibility === 'public' ? [] : [named('robots', NO_INDEX)]),
    { tag: 'link', rel: 'canonical', href: pageUrl },
    property('og:site_name', siteName),
    property('og:type', 'website'),
    property('og:title', title),
    property('og:description', description),
    property('og:url', pageUrl),
    ...(imageUrl ? imageTags(imageUrl, title) : []),
    ...cardOf({ title, description, imageUrl, card: 'summary_large_image' }),
    feedLink(`${origin}/feeds/videos.xml`, siteName),
    { tag: 'json-ld', data: itemList(playlist, { origin, pageUrl, description }) },
  ]
}

function itemList(
  { title, videos, videoCount }: Playlist & { videos: Video[] },
  page: { origin: string; pageUrl: string; description: string },
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name: title,
    description: page.description,
    url: page.pageUrl,
    numberOfItems: videoCount,
    itemListElement: videos.map((video, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: video.title,
      url: `${page.origin}/video/${video.id}`,
      ...(video.thumbnailUrl && { image: page.origin + video.thumbnailUrl }),
    })),
  }
}

function cardOf(card: {
  title: string
  description: string
  imageUrl: string | null
  card: 'summary' | 'summary_large_image'
}): HeadTag[] {
  return [
    named('twitter:card', card.imageUrl ? card.card : 'summary'),
    named('twitter:title', card.title),
    named('twitter:description', card.description),
    ...(card.imageUrl ? [named('twitter:image', card.imageUrl)] : []),
  ]
}
