import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { NO_SUCH_VIDEO, requireVideoOwner } from '#server/video/video/video.service.ts'
import { PLAYED_BY_CHATS_BYTES_MAX } from '#shared/limits.ts'
import { isLocalHost } from '#shared/local-host.ts'
import { displayedSize } from '#shared/picture-fit.ts'
import type { SharePreview, ShareProblem } from '#shared/schemas/sharing.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { cutDescription } from '#shared/text/share-text.ts'
import type { HeadTag } from './head-tags.ts'
import { findSharedVideo, type SharedVideo } from './sharing.queries.ts'
import { videoTags } from './video-tags.ts'

/** Longer titles are mostly cut. */
const TITLE_SHOWN = 70

/**
 * Built from the page's own tags.
 * @throws `forbidden` for others than the owner and admins
 */
export async function readSharePreview(
  db: Database,
  input: { id: number; viewer: Viewer; origin: string },
): Promise<SharePreview> {
  const { id, viewer, origin } = input
  const owner = await requireVideoOwner(db, { id, viewer })
  if (owner.userId !== viewer.id && !viewer.isAdmin) {
    throw new AppError('forbidden', 'Only its owner can see how this video is shared.')
  }
  const video = await findSharedVideo(db, { id, evenHidden: true })
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  const { name: siteName } = await findSiteSettings(db)
  const tags = video.isPublic ? videoTags(video, { origin, siteName }) : []
  return {
    url: `${origin}/video/${id}`,
    tags: tags.flatMap(describeTag),
    card: {
      siteName,
      host: new URL(origin).host,
      title: video.title,
      description: cutDescription(video.description),
      thumbnailUrl: video.thumbnailUrl,
      playsFile: video.discordEmbed && video.playable !== null,
      playsPage: video.discordEmbed,
      fileBytes: video.playable?.bytes || null,
      ...displayedSize(video),
    },
    problems: findShareProblems(video, origin),
  }
}

function describeTag(tag: HeadTag): { name: string; content: string }[] {
  switch (tag.tag) {
    case 'title':
      return [{ name: 'title', content: tag.text }]
    case 'meta':
      return [{ name: tag.name, content: tag.content }]
    case 'link':
      return [{ name: tag.type ?? tag.rel, content: tag.href }]
    case 'json-ld':
      return [{ name: 'application/ld+json', content: JSON.stringify(tag.data) }]
  }
}

/** Most serious first. */
function findShareProblems(video: SharedVideo, origin: string): ShareProblem[] {
  const problems: (ShareProblem | false)[] = [
    !video.isPublic && {
      code: 'not-public',
      sentence: "This video is not public. Until it is, a link to it shows the site's name only.",
    },
    !video.thumbnailUrl && {
      code: 'no-poster',
      sentence: 'There is no picture yet: cards have none to show.',
    },
    !video.discordEmbed && {
      code: 'discord-off',
      sentence: "'Show in Discord' is off: chats show a picture that leads here, and no player.",
    },
    video.discordEmbed && fileProblem(video),
    isLocalHost(new URL(origin).hostname) && {
      code: 'not-reachable',
      sentence: `${new URL(origin).host} is an address of your own network: Discord, X and iMessage cannot fetch anything from it. Set PUBLIC_URL to the site's outside address.`,
    },
    !origin.startsWith('https:') && {
      code: 'not-https',
      sentence:
        'The address is not https: X shows no player, and some chats no picture. Put the site behind https and set PUBLIC_URL.',
    },
    video.title.length > TITLE_SHOWN && {
      code: 'long-title',
      sentence: `The title has ${video.title.length} characters: most cards cut it off after about ${TITLE_SHOWN}.`,
    },
    !video.description && {
      code: 'no-description',
      sentence: 'There is no description: cards show the title alone.',
    },
  ]
  return problems.filter((problem) => problem !== false)
}

function fileProblem({ share, playable }: SharedVideo): ShareProblem | false {
  if (playable) return false
  if (share?.bytes) {
    return {
      code: 'large-share-file',
      sentence: `The file for chats has ${formatBytes(share.bytes)}: above ${formatBytes(PLAYED_BY_CHATS_BYTES_MAX)} Discord plays none.`,
    }
  }
  return {
    code: 'no-share-file',
    sentence: `There is no file for chats: it is still being made, or the video is too long for one. Discord shows a picture.`,
  }
}
