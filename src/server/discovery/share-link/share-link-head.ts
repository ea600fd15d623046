import type { Database } from '#server/platform/db/database.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { fileIn } from '#server/video/video/media-address.ts'
import { cutDescription } from '#shared/text/share-text.ts'
import { type HeadTag, named, property, renderHeadTags } from '../sharing/head-tags.ts'
import { findSharedVideo, type SharedVideo } from '../sharing/sharing.queries.ts'
import { fileTags, imageTags, type Surroundings } from '../sharing/video-tags.ts'
import { addressesOf, type FileAddress } from './linked-addresses.ts'
import { findWorkingLink } from './open-share-link.service.ts'
import type { LinkTarget } from './share-link.access.ts'
import { findLinkedPlaylist, listLinkedVideos } from './share-link.queries.ts'

const NO_INDEX = named('robots', 'noindex')

/** Reveals nothing of a link with a password. */
export async function renderLinkHead(
  db: Database,
  { token, origin }: { token: string; origin: string },
): Promise<{ head: string; works: boolean }> {
  const { name: siteName } = await findSiteSettings(db)
  const tags = await findTags(db, { token, origin, siteName })
  const plain: HeadTag[] = [{ tag: 'title', text: siteName }]
  return { head: renderHeadTags([...(tags ?? plain), NO_INDEX]), works: tags !== undefined }
}

async function findTags(
  db: Database,
  { token, origin, siteName }: Surroundings & { token: string },
): Promise<HeadTag[] | undefined> {
  const found = await findWorkingLink(db, { token })
  if (!found) return undefined
  const { link } = found
  const card = { origin, siteName, url: `${origin}/s/${token}` }
  const what = link.playlistId === null ? 'video' : 'playlist'
  if (link.passwordHash !== null) return cardTags({ ...card, title: `A shared ${what}` })
  const addressIn = (id: number) => addressesOf({ token, grant: null, link }, id)
  if (link.videoId !== null) {
    const video = await findSharedVideo(db, { id: link.videoId, evenHidden: true })
    return video && videoLinkTags(video, { ...card, addressOf: addressIn(video.id) })
  }
  const playlist = await findLinkedPlaylist(db, link.playlistId ?? 0)
  if (!playlist) return undefined
  const videos = await listLinkedVideos(db, link)
  const count = videos.length === 1 ? '1 video' : `${videos.length} videos`
  const first = videos.find(({ thumbnailUrl }) => thumbnailUrl)
  const picture = first ? addressIn(first.id)(first.thumbnailUrl) : null
  const description = cutDescription(playlist.description || `${count}, by ${playlist.ownerName}`)
  return cardTags({ ...card, title: playlist.title, description, picture })
}

type Card = Surroundings & {
  url: string
  title: string
  description?: string
  picture?: string | null
  type?: 'video.other' | 'website'
}

function videoLinkTags(
  video: SharedVideo,
  card: Surroundings & { url: string; addressOf: FileAddress },
): HeadTag[] {
  const { addressOf, origin } = card
  const { title, playable } = video
  const playableUrl = video.discordEmbed && playable ? addressOf(playable.url) : null
  const player = playable && playableUrl ? { ...playable, url: playableUrl } : null
  const description = cutDescription(video.description)
  const picture = addressOf(video.thumbnailUrl)
  return [
    ...cardTags({ ...card, title, description, picture, type: 'video.other' }),
    ...fileTags({ ...video, playable: player }, origin),
    property('video:duration', String(video.duration)),
  ]
}

function cardTags(card: Card): HeadTag[] {
  const { origin, siteName, url, title, description = '', picture, type = 'website' } = card
  const imageUrl = picture ? origin + picture : null
  return [
    { tag: 'title', text: `${title} · ${siteName}` },
    named('description', description),
    property('og:site_name', siteName),
    property('og:type', type),
    property('og:title', title),
    property('og:description', description),
    property('og:url', url),
    ...(imageUrl ? imageTags(imageUrl, title) : []),
    named('twitter:card', imageUrl ? 'summary_large_image' : 'summary'),
    named('twitter:title', title),
    named('twitter:description', description),
    ...(imageUrl ? [named('twitter:image', imageUrl)] : []),
  ]
}

export async function listPreviewFiles(
  db: Database,
  { link, videoId }: { link: LinkTarget; videoId: number },
): Promise<string[]> {
  const video = await findSharedVideo(db, { id: videoId, evenHidden: true })
  if (!video) return []
  const isPlayed = link.videoId !== null && video.discordEmbed
  const addresses = [video.thumbnailUrl, isPlayed ? (video.playable?.url ?? null) : null]
  return addresses.map(fileIn).filter((name) => name !== null)
}
