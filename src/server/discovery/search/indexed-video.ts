import { spellSigns, splitWords } from '#server/platform/db/words.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'

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
  title: string
  tags: string
  description: string
  channel: string | null
  titleSigns: string
  signs: string
  category: string
  visibility: 'public' | 'members'
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
  const { id, title, description } = video
  const tags = (JSON.parse(video.tags) as string[]).join('\n')
  const category = spellCategory(video.category)
  const isPublic = video.visibility === 'public'
  const names = video.isAnonymous ? [] : [video.displayName, video.username]
  return {
    id,
    title,
    tags,
    description,
    channel: names.length > 0 ? names.join('\n') : null,
    titleSigns: spellSigns(title),
    signs: spellSigns([tags, description, ...names.slice(0, 1)].join('\n')),
    category: isPublic ? category : `${category} ${FOR_MEMBERS}`,
    visibility: isPublic ? 'public' : 'members',
    words: splitWords([title, tags, description, ...names].join('\n')),
    tagNames: video.tagNames,
  }
}
