import { verifyLinkPassword } from '#server/account/auth/password.ts'
import { findPinnedComment, listComments } from '#server/community/comment/comment.queries.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { readPlayback } from '#server/video/playback/playback.service.ts'
import type { Page } from '#shared/field.schemas.ts'
import { COMMENTS_PER_PAGE } from '#shared/limits.ts'
import type { Comment, Reply } from '#shared/schemas/comment.schemas.ts'
import type {
  LinkedVideo,
  OpenedShareLink,
  OpenShareLink,
  SharedComment,
  SharedReply,
} from '#shared/schemas/share-link.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { addressesOf, type FileAddress } from './linked-addresses.ts'
import {
  countOpening,
  findLinkedPlaylist,
  findLinkedVideo,
  findUnendedLink,
  listLinkedVideos,
  type UnendedLink,
} from './share-link.queries.ts'
import { hashShareToken, isGrantOf, isShareToken, makeGrant } from './share-token.ts'

const DEAD_LINK = 'This link does not work any more.'
const PASSWORD_NEEDED = 'This link asks for a password.'
const WRONG_PASSWORD = 'That is not the password of this link.'

type Deps = Pick<AppDeps, 'db' | 'limits'>
type Opening = { token: string; grant?: string | null | undefined; address: string }
type Found = { link: UnendedLink; isGranted: boolean; video: Video | undefined }

/**
 * Counts as a view without the grant of an earlier opening.
 * @throws `not-found` with the same words whatever the reason; `forbidden` without the password;
 * `too-many` after many attempts
 */
export async function openShareLink(
  deps: Deps,
  input: OpenShareLink & { address: string },
): Promise<OpenedShareLink> {
  const { db } = deps
  const { token, password } = input
  const { link, isGranted, video } = await requireLink(deps, input)
  if (!isGranted) {
    await checkLinkPassword(deps, { link, password, address: input.address })
    if (!(await countOpening(db, link.id))) throw new AppError('not-found', DEAD_LINK)
  }
  const needsGrant = link.passwordHash !== null || link.maxViews !== null
  const known = isGranted ? (input.grant ?? null) : null
  const grant = known ?? (needsGrant ? await makeGrant(db, link.id) : null)
  const opened = { grant, expiresAt: link.expiresAt }
  const addressIn = (id: number) => addressesOf({ token, grant, link }, id)
  if (video) {
    return { ...opened, kind: 'video', ...(await readEntry(db, video, addressIn(video.id))) }
  }
  const playlist = await findLinkedPlaylist(db, link.playlistId ?? 0)
  if (!playlist) throw new AppError('not-found', DEAD_LINK)
  const videos = await listLinkedVideos(db, link)
  const listed = videos.map((one) => describeListed(one, addressIn(one.id)))
  return { ...opened, kind: 'playlist', ...playlist, videos: listed }
}

/**
 * No view.
 * @throws as `openShareLink`
 */
export async function readLinkedVideo(
  deps: Deps,
  input: Opening & { videoId: number },
): Promise<LinkedVideo> {
  const { db } = deps
  const { link, isGranted } = await requireLink(deps, input)
  if (!isGranted && link.passwordHash !== null) throw new AppError('forbidden', PASSWORD_NEEDED)
  const isCounted = link.maxViews !== null
  const video = await findLinkedVideo(db, link, input.videoId)
  if (!video || (isCounted && !isGranted)) throw new AppError('not-found', DEAD_LINK)
  const { token, grant = null } = input
  return readEntry(
    db,
    video,
    addressesOf({ token, grant: isGranted ? grant : null, link }, video.id),
  )
}

/** @throws `not-found`, or `too-many` after many dead links */
async function requireLink({ db, limits }: Deps, input: Opening): Promise<Found> {
  const found = await findWorkingLink(db, input)
  if (found) return found
  await limits.deadLinks.count(input.address)
  throw new AppError('not-found', DEAD_LINK)
}

export async function findWorkingLink(
  db: Database,
  { token, grant }: Pick<Opening, 'token' | 'grant'>,
): Promise<Found | undefined> {
  const link = isShareToken(token) ? await findUnendedLink(db, hashShareToken(token)) : undefined
  if (!link) return undefined
  const isGranted = await isGrantOf(db, { linkId: link.id, grant })
  if (link.hasViewsLeft === 0 && !isGranted) return undefined
  if (link.videoId === null) return { link, isGranted, video: undefined }
  const video = await findLinkedVideo(db, link, link.videoId)
  return video && { link, isGranted, video }
}

/** @throws `forbidden`, or `too-many` after 10 failures in 5 minutes */
async function checkLinkPassword(
  { limits }: Deps,
  input: { link: UnendedLink; password: string | null | undefined; address: string },
): Promise<void> {
  const { link, password, address } = input
  if (link.passwordHash === null) return
  if (!password) throw new AppError('forbidden', PASSWORD_NEEDED)
  const end = await limits.linkPasswords.begin(`${link.id} ${address}`)
  let counts = false
  try {
    counts = !(await verifyLinkPassword(link.passwordHash, password))
  } finally {
    await end({ counts })
  }
  if (counts) throw new AppError('forbidden', WRONG_PASSWORD)
}

async function readEntry(db: Database, video: Video, addressOf: FileAddress): Promise<LinkedVideo> {
  const playback = await readPlayback(db, video)
  const { description, width, height, publishedAt, category, tags, videoFileExists } = video
  return {
    video: {
      ...describeListed(video, addressOf),
      ...{ description, width, height, publishedAt, category, tags, videoFileExists },
      ownerAvatarUrl: video.channel?.avatarUrl ?? null,
      videoUrl: addressOf(video.videoUrl),
      hlsUrl: addressOf(video.hlsUrl),
      storyboardUrl: addressOf(video.storyboardUrl),
    },
    playback: {
      ...playback,
      videoUrl: addressOf(playback.videoUrl),
      hlsUrl: addressOf(playback.hlsUrl),
      shareUrl: addressOf(playback.shareUrl),
      waveformUrl: addressOf(playback.waveformUrl),
      soundTracks: playback.soundTracks.map((one) => ({ ...one, url: addressOf(one.url) ?? '' })),
      captions: playback.captions.map((one) => ({ ...one, url: addressOf(one.url) ?? '' })),
    },
    comments: await readComments(db, video.id),
  }
}

function describeListed(video: Video, addressOf: FileAddress) {
  const { id, title, duration, channel } = video
  return {
    ...{ id, title, duration },
    thumbnailUrl: addressOf(video.thumbnailUrl),
    cardUrl: addressOf(video.cardUrl),
    preview: video.preview,
    ownerName: channel?.displayName ?? null,
  }
}

async function readComments(db: Database, videoId: number): Promise<Page<SharedComment>> {
  const asked = { videoId, viewer: undefined }
  const pinned = await findPinnedComment(db, asked)
  const { items, nextCursor } = await listComments(db, { ...asked, limit: COMMENTS_PER_PAGE })
  const others = items.filter(({ id }) => id !== pinned?.id)
  return { items: [...(pinned ? [pinned] : []), ...others].map(describeComment), nextCursor }
}

function describeComment(comment: Comment): SharedComment {
  return { ...describeReply(comment), replies: (comment.replies ?? []).map(describeReply) }
}

function describeReply(reply: Reply): SharedReply {
  const { id, content, createdAt, likeCount, isPinned, isHearted, user } = reply
  const authorName = user?.displayName ?? null
  const authorAvatarUrl = user?.avatarUrl ?? null
  return { id, authorName, authorAvatarUrl, content, createdAt, likeCount, isPinned, isHearted }
}
