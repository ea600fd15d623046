import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { indexWords, spellSigns } from './text/words.ts'

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
  /** As in `videoTags`. */
  tagNames: string[]
}

export type IndexedVideo = {
  id: number
  /** Distinct, from `indexWords`. */
  title: string[]
  tags: string[]
  description: string[]
  /** Empty if anonymous. */
  channel: string[]
  titleSigns: string
  signs: string
  category: string
  visibility: 'public' | 'members'
  words: string[]
  tagNames: string[]
}

/** No text contains this word. */
export const FOR_MEMBERS = '\ue001members'

export function spellCategory(category: string): string {
  return `\ue001${Buffer.from(category).toString('hex')}`
}

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
