import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { removeFolder } from '#server/platform/files/durable-files.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { CAPTIONS_PER_VIDEO } from '#shared/limits.ts'
import type { CaptionFields, Captions, EditCaptions } from '#shared/schemas/caption.schemas.ts'
import { publishFiles, retireFiles } from '../media/media-folder.ts'
import { requireEditable } from '../video/video.access.ts'
import { findVideoOwner } from '../video/video.queries.ts'
import { NO_SUCH_VIDEO, requireVideoOwner } from '../video/video.service.ts'
import {
  countCaptions,
  deleteCaptions,
  findCaptionFolder,
  findCaptions,
  insertCaptions,
  replaceCaptions,
  updateCaptions,
} from './caption.queries.ts'
import { readCaptions } from './read-captions.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media'>

const NO_SUCH_CAPTIONS = 'There are no such captions.'

/**
 * Adds captions to a video of one's own, or replaces some. The file is read, and rewritten as WebVTT
 * with nothing but cues.
 * @throws AppError `not-found`, `forbidden` for others than its owner, `unprocessable` naming the line
 * that cannot be read, `conflict` for a label that is taken, or with twenty captions, `too-large` over the quota, `no-space`
 */
export async function receiveCaptions(
  deps: Deps,
  input: CaptionFields & { id: number; bytes: Buffer; viewer: Viewer },
): Promise<Captions> {
  const { db, disk } = deps
  const { id: videoId, language, captionsId, bytes, viewer } = input
  requireEditable(await requireVideoOwner(db, { id: videoId, viewer }), viewer)
  const video = await findCaptionFolder(db, videoId)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  const text = await readCaptions(bytes, viewer.id)
  const label = input.label || nameOf(language)
  const file = `captions-${randomBytes(6).toString('hex')}.vtt`
  const work = await disk.openWorkFolder(file)
  const made: { id: number } = { id: captionsId ?? 0 }
  try {
    await writeFile(join(work, file), text)
    await publishFiles(deps, {
      video,
      workFolder: work,
      files: [{ name: file, kind: 'captions', bytes: Buffer.byteLength(text) }],
      payer: { userId: video.userId },
      publish: async (transaction) => {
        const row = { videoId, language, label, file }
        if (captionsId !== undefined) {
          await replaceCaptions(transaction, { id: captionsId, ...row })
          return
        }
        if ((await countCaptions(transaction, videoId)) >= CAPTIONS_PER_VIDEO) {
          const sentence = `A video has at most ${CAPTIONS_PER_VIDEO} captions. Delete some first.`
          throw new AppError('conflict', sentence)
        }
        made.id = await insertCaptions(transaction, row)
      },
    })
  } catch (error) {
    throw explainTakenLabel(error, label)
  } finally {
    await removeFolder(work)
  }
  return { id: made.id, language, label, url: mediaUrl(video.addressKey, file) }
}

/**
 * Says something else about captions of one's own video.
 * @throws AppError `not-found`, `forbidden`, `conflict` for a label that is taken
 */
export async function editCaptions(
  deps: Deps,
  input: EditCaptions & { viewer: Viewer },
): Promise<Captions> {
  const { id, label, language } = input
  const captions = await requireOwnCaptions(deps, input)
  const now = {
    language: language ?? captions.language,
    label: label === '' ? nameOf(language ?? captions.language) : (label ?? captions.label),
  }
  try {
    await updateCaptions(deps.db, { id, change: now })
  } catch (error) {
    throw explainTakenLabel(error, now.label)
  }
  return { id, ...now, url: mediaUrl(captions.addressKey, captions.file) }
}

/** Deletes captions of one's own video. @throws AppError `not-found`, `forbidden` */
export async function removeCaptions(
  deps: Deps,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const captions = await requireOwnCaptions(deps, input)
  const { id, videoId, file, mediaKey } = captions
  await retireFiles(deps, {
    video: { id: videoId, mediaKey },
    retire: (transaction) => deleteCaptions(transaction, { id, videoId, file }),
  })
}

async function requireOwnCaptions({ db }: Deps, { id, viewer }: { id: number; viewer: Viewer }) {
  const captions = await findCaptions(db, id)
  if (!captions) throw new AppError('not-found', NO_SUCH_CAPTIONS)
  const video = await findVideoOwner(db, { id: captions.videoId, viewer })
  if (!video) throw new AppError('not-found', NO_SUCH_CAPTIONS)
  requireEditable(video, viewer)
  return captions
}

function explainTakenLabel(error: unknown, label: string): unknown {
  if (!isUniqueViolation(error)) return error
  return new AppError('conflict', `This video has captions called “${label}” already.`)
}

let languageNames: Intl.DisplayNames | undefined

/** 'Portuguese (Brazil)'; the tag itself where no name is known. */
function nameOf(language: string): string {
  // Made when it is needed: it loads what the system knows of languages.
  languageNames ??= new Intl.DisplayNames('en', { type: 'language' })
  return languageNames.of(language) ?? language
}
