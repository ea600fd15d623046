import { basename } from 'node:path'
import { isImportedHash } from '#server/account/auth/password.ts'
import { titleRule } from '#shared/field-rules.ts'
import { titleOfFile } from '#shared/file-title.ts'
import {
  DEFAULT_CATEGORY,
  DESCRIPTION_MAX,
  TAG_MAX,
  TAG_MIN,
  TAGS_MAX,
  TITLE_MAX,
} from '#shared/limits.ts'
import { findCategory } from '#shared/recording-name.ts'
import { type UploadDetails, uploadDetailsSchema } from '#shared/schemas/upload.schemas.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { tidyText, UNSHOWABLE_CHARACTERS } from '#shared/text/shown-text.ts'
import type { FireshareVideo } from './fireshare-database.ts'

export type DescribedVideo = {
  details: UploadDetails
  passwordHash: string | undefined
  /** Sentences about missing and changed parts of the video. */
  notes: string[]
}

/**
 * A private video of Fireshare is in no list, but everybody with its address can watch it, so it becomes `unlisted`. A
 * video with a password becomes private, and gets a share link with the password.
 * @param categories that take new videos
 */
export function describeFireshareVideo(
  video: FireshareVideo,
  categories: readonly string[],
): DescribedVideo {
  const notes: string[] = []
  const given = oneLine(video.title)
  const cut = cutText(given, TITLE_MAX).trim()
  const title = titleRule(cut) ? titleOfFile(basename(video.path)) : cut
  if (given !== '' && title !== given) notes.push('Its title was changed to fit.')
  const [game] = video.games
  const found = game === undefined ? undefined : findCategory(game, categories)
  const category = categories.find((name) => name === found)
  const others = category === undefined ? video.games : video.games.slice(1)
  const { tags, left } = chooseTags([...others, ...video.tags])
  if (left.length > 0) notes.push(`It comes without the tags ${left.join(', ')}.`)
  const hasPassword = video.passwordHash !== ''
  const isKnown = hasPassword && isImportedHash(video.passwordHash)
  if (hasPassword && !isKnown) {
    notes.push('It is private, since its password cannot be taken over.')
  }
  if (video.crop) notes.push('It comes uncropped; the crop is a clip.')
  const details = uploadDetailsSchema.parse({
    title,
    description: cutText(video.description.replaceAll(UNSHOWABLE_CHARACTERS, ''), DESCRIPTION_MAX),
    category: category ?? DEFAULT_CATEGORY,
    tags,
    visibility: hasPassword ? 'private' : video.isPrivate ? 'unlisted' : 'public',
  })
  return { details, notes, passwordHash: isKnown ? video.passwordHash : undefined }
}

function chooseTags(names: string[]): { tags: string[]; left: string[] } {
  const known = new Map(names.map((name) => [oneLine(name).toLowerCase(), oneLine(name)]))
  const all = [...known.values()].filter((tag) => tag !== '')
  const fits = all.filter(({ length }) => length >= TAG_MIN && length <= TAG_MAX)
  const tags = fits.slice(0, TAGS_MAX)
  return { tags, left: all.filter((tag) => !tags.includes(tag)) }
}

function oneLine(text: string): string {
  return tidyText(text.replaceAll(/\s+/g, ' ').replaceAll(UNSHOWABLE_CHARACTERS, ''))
}
