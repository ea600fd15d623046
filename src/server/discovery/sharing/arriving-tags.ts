import { cutDescription } from '#shared/text/share-text.ts'
import { type HeadTag, named, property } from './head-tags.ts'
import type { Surroundings } from './video-tags.ts'

/** For chats, where the link is shared before the upload ends. Search engines come back later. */
export function arrivingTags(
  upload: { id: number; title: string; description: string },
  { origin, siteName }: Surroundings,
): HeadTag[] {
  const description = cutDescription(
    upload.description || 'Still arriving: watch it as it uploads.',
  )
  return [
    { tag: 'title', text: `${upload.title} · ${siteName}` },
    named('description', description),
    named('robots', 'noindex'),
    property('og:site_name', siteName),
    property('og:type', 'website'),
    property('og:title', upload.title),
    property('og:description', description),
    property('og:url', `${origin}/video/${upload.id}`),
  ]
}
