import { basename } from 'node:path'
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
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { tidyText, UNSHOWABLE_CHARACTERS } from '#shared/text/shown-text.ts'

export type DescribedVideo = {
  details: UploadDetails
  /** Sentences about changed and missing parts of the video. */
  notes: string[]
}

/**
 * Changes the texts of another program so that they follow the rules of this site.
 * @param video.path gives the title of a video without a valid one
 * @param video.games the first becomes the category, the others become tags
 * @param categories that take new videos
 */
export function describeVideo(
  video: {
    path: string
    title: string
    description: string
    games: string[]
    tags: string[]
    /** The default is that of the owner's uploads. */
    visibility?: Visibility
  },
  categories: readonly string[],
): DescribedVideo {
  const notes: string[] = []
  const given = oneLine(video.title)
  const cut = cutText(given, TITLE_MAX).trim()
  const title = titleRule(cut) ? titleOfFile(basename(video.path)) : cut
  if (given !== '' && title !== given) notes.push('Its title was changed to fit.')
  const shown = video.description.replaceAll(UNSHOWABLE_CHARACTERS, '')
  const description = cutText(shown, DESCRIPTION_MAX)
  if (description !== shown) notes.push('The end of its description was cut off.')
  const [game] = video.games
  const category = game === undefined ? undefined : categoryOf(game, categories)
  const others = category === undefined ? video.games : video.games.slice(1)
  const { tags, left } = chooseTags([...others, ...video.tags])
  if (left.length > 0) notes.push(`It comes without the tags ${left.join(', ')}.`)
  const details = uploadDetailsSchema.parse({
    ...{ title, description, category: category ?? DEFAULT_CATEGORY, tags },
    visibility: video.visibility,
  })
  return { details, notes }
}

/** @returns undefined if no category that takes new videos is meant */
export function categoryOf(game: string, categories: readonly string[]): string | undefined {
  const found = findCategory(game, categories)
  return categories.find((name) => name === found)
}

function chooseTags(names: string[]): { tags: string[]; left: string[] } {
  const known = new Map(names.map((name) => [oneLine(name).toLowerCase(), oneLine(name)]))
  const all = [...known.values()].filter((tag) => tag !== '')
  const fits = all.filter(({ length }) => length >= TAG_MIN && length <= TAG_MAX)
  const tags = fits.slice(0, TAGS_MAX)
  return { tags, left: all.filter((tag) => !tags.includes(tag)) }
}

/** Returns the text on one line, without characters that cannot be shown. */
export function oneLine(text: string): string {
  return tidyText(text.replaceAll(/\s+/g, ' ').replaceAll(UNSHOWABLE_CHARACTERS, ''))
}
