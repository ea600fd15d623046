import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { indexWords, spellSigns } from './text/words.ts'

/** What the index is made of. */
type VideoText = {
  id: number
  title: string
  /** JSON */
  tags: string
  description: string
  category: string
  isAnonymous: 0 | 1
  displayName: string
  username: string
  visibility: Visibility
  /** As `videoTags` has them. */
  tagNames: string[]
}

/** A row of the full-text index, with its level, and the words and tags that are counted of it. */
export type IndexedVideo = {
  id: number
  /** The different words of each, as `indexWords` makes them. */
  title: string[]
  tags: string[]
  description: string[]
  /** Empty for an anonymous video. */
  channel: string[]
  titleSigns: string
  signs: string
  category: string
  visibility: 'public' | 'members'
  /** Those of all four. */
  words: string[]
  tagNames: string[]
}

/** Beside the category of a video that only members find: one word that no text has. */
export const FOR_MEMBERS = '\ue001members'

/** A category as the index has it: one word that no text has. */
export function spellCategory(category: string): string {
  return `\ue001${Buffer.from(category).toString('hex')}`
}

/** How a video that everybody or members find stands in the index; an anonymous one has no channel. */
export function toIndexedVideo(video: VideoText): IndexedVideo {
  const { title, description } = video
  const tags = (JSON.parse(video.tags) as string[]).join('\n')
  const category = spellCategory(video.category)
  const isPublic = video.visibility === 'public'
  const names = video.isAnonymous ? [] : [video.displayName, video.username]
  const words = {
    title: indexWords(title),
    tags: indexWords(tags),
    description: indexWords(description),
    channel: indexWords(names.join('\n')),
  }
  return {
    id: video.id,
    ...words,
    titleSigns: spellSigns(title),
    signs: spellSigns([tags, description, ...names.slice(0, 1)].join('\n')),
    category: isPublic ? category : `${category} ${FOR_MEMBERS}`,
    visibility: isPublic ? 'public' : 'members',
    words: [...new Set(Object.values(words).flat())],
    tagNames: video.tagNames,
  }
}
