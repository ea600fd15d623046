import { spellSigns, splitWords } from '#server/platform/db/words.ts'
import { spellCategory } from './search-terms.ts'

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
}

/** A row of the full-text index, with the words that are counted of it. */
export type IndexedVideo = {
  id: number
  title: string
  tags: string
  description: string
  channel: string | null
  titleSigns: string
  signs: string
  category: string
  words: string[]
}

/** How a public video stands in the index; an anonymous one has no channel. */
export function toIndexedVideo(video: VideoText): IndexedVideo {
  const { id, title, description } = video
  const tags = (JSON.parse(video.tags) as string[]).join('\n')
  const names = video.isAnonymous ? [] : [video.displayName, video.username]
  return {
    id,
    title,
    tags,
    description,
    channel: names.length > 0 ? names.join('\n') : null,
    titleSigns: spellSigns(title),
    signs: spellSigns([tags, description, ...names.slice(0, 1)].join('\n')),
    category: spellCategory(video.category),
    words: splitWords([title, tags, description, ...names].join('\n')),
  }
}
