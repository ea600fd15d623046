import { displayedSize, fitWithin } from '#shared/picture-fit.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import { type HeadTag, named, property } from './head-tags.ts'
import type { SharedVideo } from './sharing.queries.ts'
import {
  counter,
  fileTags,
  imageTags,
  isoDuration,
  oembedLinks,
  PLAYER_BOX,
  type Surroundings,
} from './video-tags.ts'

type Around = Surroundings & { video: SharedVideo }

/**
 * Plays the clip's file only: until it exists chats get a picture, as the link does not promise the
 * whole video.
 */
export function clipTags(clip: Clip, { origin, siteName, video }: Around): HeadTag[] {
  const pageUrl = `${origin}/clip/${clip.id}`
  const description = `A clip of “${video.title}”`
  const picture = pictureOf(clip, video)
  const imageUrl = picture && origin + picture
  const seconds = Math.round(clip.endSeconds - clip.startSeconds)
  const share = clip.shareUrl && video.discordEmbed ? { url: clip.shareUrl, bytes: null } : null
  const { width, height } = fitWithin(displayedSize(video), PLAYER_BOX)
  return [
    { tag: 'title', text: `${clip.title} · ${siteName}` },
    named('description', description),
    ...(video.isListed ? [] : [named('robots', 'noindex')]),
    { tag: 'link', rel: 'canonical', href: pageUrl },
    property('og:site_name', siteName),
    property('og:type', 'video.other'),
    property('og:title', clip.title),
    property('og:description', description),
    property('og:url', pageUrl),
    ...(imageUrl ? imageTags(imageUrl, clip.title) : []),
    ...fileTags({ ...video, playable: share }, origin),
    property('video:duration', String(seconds)),
    property('video:release_date', clip.createdAt),
    named('twitter:card', video.discordEmbed ? 'player' : 'summary_large_image'),
    named('twitter:title', clip.title),
    named('twitter:description', description),
    ...(imageUrl ? [named('twitter:image', imageUrl), named('twitter:image:alt', clip.title)] : []),
    ...(video.discordEmbed
      ? [
          named('twitter:player', `${origin}/embed/clip/${clip.id}`),
          named('twitter:player:width', String(width)),
          named('twitter:player:height', String(height)),
        ]
      : []),
    ...oembedLinks(pageUrl, clip.title),
    { tag: 'json-ld', data: clipObject(clip, { origin, siteName, video }) },
  ]
}

export function pictureOf(
  { pictureUrl }: Pick<Clip, 'pictureUrl'>,
  { thumbnailUrl }: Pick<SharedVideo, 'thumbnailUrl'>,
): string | null {
  return pictureUrl?.replace(/-card\.webp$/, '.jpg') ?? thumbnailUrl
}

/** Search engines need a VideoObject besides https://schema.org/Clip. */
function clipObject(clip: Clip, { origin, video }: Around): object {
  const { id, title, createdAt, maker } = clip
  const picture = pictureOf(clip, video)
  return {
    '@context': 'https://schema.org',
    '@type': 'VideoObject',
    name: title,
    description: `A clip of “${video.title}”`,
    url: `${origin}/clip/${id}`,
    embedUrl: `${origin}/embed/clip/${id}`,
    ...(clip.shareUrl && { contentUrl: origin + clip.shareUrl }),
    ...(picture && { thumbnailUrl: [origin + picture] }),
    uploadDate: createdAt,
    duration: isoDuration(Math.round(clip.endSeconds - clip.startSeconds)),
    genre: video.category,
    isPartOf: { '@type': 'VideoObject', name: video.title, url: `${origin}/video/${video.id}` },
    ...(maker && {
      author: {
        '@type': 'Person',
        name: maker.displayName,
        url: `${origin}/profile/${maker.id}`,
      },
    }),
    interactionStatistic: [
      counter('WatchAction', clip.viewCount),
      counter('LikeAction', clip.likeCount),
    ],
  }
}
