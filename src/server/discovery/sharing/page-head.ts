import { requireUser } from '#server/account/user/user.service.ts'
import { readPlaylist, requirePlaylist } from '#server/community/playlist/playlist.service.ts'
import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { findVisibleArriving } from '#server/video/arriving/arriving.access.ts'
import { findClip, findClipOwner } from '#server/video/clip/clip.queries.ts'
import { videoIsVisible } from '#server/video/video/video.queries.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { MAX_PAGE_SIZE, SEARCH_QUERY_MAX } from '#shared/limits.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { arrivingTags } from './arriving-tags.ts'
import { clipTags } from './clip-tags.ts'
import { type HeadTag, renderHeadTags } from './head-tags.ts'
import { channelTags, playlistTags, type SitePage, searchTags, siteTags } from './page-tags.ts'
import { findSharedVideo } from './sharing.queries.ts'
import { type Surroundings, videoTags } from './video-tags.ts'

export type PageSubject =
  | { kind: 'home' }
  | { kind: 'explore' }
  | { kind: 'clips' }
  | { kind: 'search'; query: string }
  | { kind: 'video' | 'clip' | 'channel' | 'playlist'; id: string }

/**
 * As visitors see the site, also for members.
 * @returns null without such a public page
 */
export async function renderPageHead(
  db: Database,
  subject: PageSubject,
  origin: string,
): Promise<string | null> {
  const { name: siteName, tagline, logoUrl } = await findSiteSettings(db)
  if (subject.kind === 'home' || subject.kind === 'explore' || subject.kind === 'clips') {
    return renderHeadTags(siteTags({ origin, siteName }, { page: subject.kind, tagline, logoUrl }))
  }
  const tags = await findTags(db, subject, { origin, siteName }).catch(orNothing)
  return tags ? renderHeadTags(tags) : null
}

async function findTags(
  db: Database,
  subject: Exclude<PageSubject, { kind: SitePage }>,
  surroundings: Surroundings,
): Promise<HeadTag[] | null> {
  if (subject.kind === 'search') {
    return searchTags(cutText(subject.query, SEARCH_QUERY_MAX), surroundings)
  }
  const id = parseId(subject.id)
  if (id === undefined) return null
  switch (subject.kind) {
    case 'video': {
      const video = await findSharedVideo(db, { id })
      if (video) return videoTags(video, surroundings)
      const upload = await findVisibleArriving(db, { id, viewer: undefined })
      return upload ? arrivingTags({ ...upload, id }, surroundings) : null
    }
    case 'clip': {
      const clip = await findClip(db, { id, viewer: undefined })
      const video = clip && (await findSharedVideo(db, { id: clip.videoId }))
      return video ? clipTags(clip, { ...surroundings, video }) : null
    }
    case 'channel':
      return channelTags(await requireUser(db, { id, viewer: undefined }), surroundings)
    case 'playlist':
      return playlistTags(
        await readPlaylist(db, { id, viewer: undefined, limit: MAX_PAGE_SIZE }),
        surroundings,
      )
  }
}

export async function renderPlainHead(db: Database): Promise<string> {
  const { name } = await findSiteSettings(db)
  return renderHeadTags([{ tag: 'title', text: name }])
}

export async function existsForViewer(
  db: Database,
  input: { subject: PageSubject; viewer: Viewer | undefined },
): Promise<boolean> {
  const { subject, viewer } = input
  if (!viewer || !('id' in subject)) return false
  const id = parseId(subject.id)
  if (id === undefined) return false
  if (subject.kind === 'video') {
    return (
      (await videoIsVisible(db, { id, viewer })) ||
      (await findVisibleArriving(db, { id, viewer })) !== undefined
    )
  }
  if (subject.kind === 'clip') return (await findClipOwner(db, { id, viewer })) !== undefined
  if (subject.kind !== 'playlist') return false
  return (await requirePlaylist(db, { id, viewer }).catch(orNothing)) !== null
}

export function parseId(text: string): number | undefined {
  const result = idSchema.safeParse(text)
  return result.success ? result.data : undefined
}

function orNothing(error: unknown): null {
  if (error instanceof AppError && error.kind === 'not-found') return null
  throw error
}
