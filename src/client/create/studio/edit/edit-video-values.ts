import type { FieldLabels } from '#client/kit/edit/use-edit-form.ts'
import type { Category } from '#shared/limits.ts'
import type { EditVideo, Video } from '#shared/schemas/video.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import { type Ending, toEnding, toExpiry } from './expiry-field.tsx'

export type EditedVideo = Pick<Video, Exclude<keyof NonNullable<EditVideo['was']>, 'squadId'>> & {
  squadId: number | null
}
export type EditVideoValues = Omit<EditedVideo, 'category' | 'expiry'> & {
  category: Category
  expiry: Ending
}

export const EDIT_VIDEO_LABELS: FieldLabels<EditedVideo> = {
  title: 'Title',
  description: 'Description',
  category: 'Category',
  tags: 'Tags',
  isAnonymous: 'Anonymous Upload',
  discordEmbed: 'Show in Discord',
  commentsOff: 'Turn comments off',
  visibility: { label: 'Visibility', show: (level) => VISIBILITY_WORDS[level].name },
  squadId: 'Squad',
  allowsDownload: 'Allow downloads',
  allowsClips: 'Allow clips by others',
  allowsClipVideos: "Allow clips in other people's videos",
  allowsReactions: 'Show reactions',
  expiry: { label: 'Expires', show: showExpiry },
}

function showExpiry(expiry: Video['expiry']): string {
  if (!expiry) return 'Never'
  return `${expiry.action === 'delete' ? 'Is deleted' : 'Becomes private'} on ${formatDate(expiry.at)}`
}

export function readEditedVideo(video: Video): EditedVideo {
  const fields = Object.keys(EDIT_VIDEO_LABELS) as (keyof EditedVideo)[]
  const known = { ...video, squadId: video.squad?.id ?? null }
  return Object.fromEntries(fields.map((field) => [field, known[field]])) as EditedVideo
}

export const toEditVideoValues = ({ category, expiry, ...same }: EditedVideo): EditVideoValues => ({
  ...same,
  category: category as Category,
  expiry: toEnding(expiry),
})

export function toEditedVideo(
  { expiry, ...same }: EditVideoValues,
  base: EditedVideo,
): Partial<EditedVideo> {
  const ending = toExpiry(expiry, base.expiry)
  return { ...same, ...(ending !== undefined && { expiry: ending }) }
}
