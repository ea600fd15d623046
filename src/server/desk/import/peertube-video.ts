import { posix } from 'node:path'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { languageTag } from '#shared/sound-tracks.ts'
import { categoryOf, describeVideo, oneLine } from './describe-video.ts'
import type { FindFile, ForeignArchive, ForeignVideo } from './foreign-library.ts'
import type { PeertubeVideo } from './peertube-format.ts'
import { CATEGORY_NAMES, COMMENTS, GAMING, JSON_FOLDER, PRIVACY } from './peertube-format.ts'

const LEVELS: Record<number, Visibility> = {
  [PRIVACY.public]: 'public',
  [PRIVACY.unlisted]: 'unlisted',
  [PRIVACY.private]: 'private',
  // Every user of the instance sees it.
  [PRIVACY.internal]: 'members',
}

/** @param categories that take new videos */
export function describePeertubeVideo(
  video: PeertubeVideo & { archiveFiles: { videoFile: string } },
  { archive, categories }: { archive: ForeignArchive; categories: readonly string[] },
): ForeignVideo {
  const { archiveFiles: files } = video
  const fileName = posix.basename(video.source?.inputFilename || files.videoFile)
  const { details, notes } = describeVideo(
    {
      ...{ path: fileName, title: video.name, description: video.description },
      ...describeCategory(video, categories),
      visibility: LEVELS[video.privacy] ?? 'private',
    },
    categories,
  )
  if (video.privacy === PRIVACY.password) {
    notes.push('It is private. Its password was not read; a share link can have a new one.')
  } else if (!LEVELS[video.privacy]) {
    notes.push('It is private, since its privacy is unknown here.')
  }
  if (video.nsfw) notes.push('It was marked as sensitive, which does not exist here.')
  const finder = (path: string): FindFile => {
    return () => archive.find(posix.join(JSON_FOLDER, path))
  }
  return {
    ...{ id: video.uuid, path: nameInReport(video, fileName), fileName, details, notes },
    ...{ publishedAt: video.publishedAt, views: video.views },
    findFile: finder(files.videoFile),
    findPicture: files.thumbnail === undefined ? undefined : finder(files.thumbnail),
    captions: video.captions.flatMap(({ language }) => {
      const file = files.captions[language]
      const tag = languageTag(language)
      return file === undefined || tag === null ? [] : [{ language: tag, find: finder(file) }]
    }),
    moments: video.chapters.map(({ timecode, title }) => ({
      ...{ atSeconds: timecode, weight: 1 },
      title: oneLine(title),
    })),
    settings: {
      commentsOff: video.commentsPolicy === COMMENTS.disabled ? 1 : 0,
      allowsDownload: video.downloadEnabled === false ? 0 : 1,
    },
  }
}

/** PeerTube has one category for all games, so the first tag that is a category of this site becomes the category. */
function describeCategory(
  { category: number, tags }: PeertubeVideo,
  categories: readonly string[],
): { games: string[]; tags: string[] } {
  const name = number ? CATEGORY_NAMES[number - 1] : undefined
  const other = name === undefined || number === GAMING ? [] : [name]
  const game = [...tags, ...other].find((tag) => categoryOf(tag, categories) !== undefined)
  if (game === undefined) return { games: [], tags: [...tags, ...other] }
  const category = categoryOf(game, categories)
  const isCategory = (tag: string) => tag.toLowerCase() === category?.toLowerCase()
  return { games: [game], tags: [...tags, ...other].filter((tag) => !isCategory(tag)) }
}

export function nameInReport({ name, uuid }: PeertubeVideo, path: string): string {
  return oneLine(name) || path || uuid
}
