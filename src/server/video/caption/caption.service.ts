import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, inTransaction } from '#server/platform/db/database.ts'
import { isUniqueViolation } from '#server/platform/db/errors.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { requireUnchanged } from '#server/platform/edit-conflict.ts'
import { AppError } from '#server/platform/errors.ts'
import { mediaUrl } from '#server/platform/files/media-store.ts'
import { removeFolder } from '#server/platform/files/remove-folder.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { CAPTIONS_PER_VIDEO } from '#shared/limits.ts'
import type {
  CaptionFields,
  Captions,
  EditCaptions,
  ReceivedCaptions,
} from '#shared/schemas/caption.schemas.ts'
import { nameOf } from '../caption-text/caption-language.ts'
import { readCaptions } from '../caption-text/read-captions.ts'
import { insertCaptions } from '../media/caption-file.queries.ts'
import { measureFiles } from '../media/made-files.ts'
import { publishFiles, retireFiles } from '../media/media-folder.ts'
import { requireEditable } from '../video/video.access.ts'
import { findVideoOwner } from '../video/video.queries.ts'
import { NO_SUCH_VIDEO, requireVideoOwner } from '../video/video.service.ts'
import {
  countCaptions,
  deleteCaptions,
  findCaptionFolder,
  findCaptions,
  replaceCaptions,
  updateCaptions,
} from './caption.queries.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media'>

const NO_SUCH_CAPTIONS = 'There are no such captions.'

/**
 * Becomes WebVTT of cues only.
 * @throws `unprocessable` naming the line, `conflict` for a used label or too many captions,
 * `too-large`, `no-space`
 */
export async function receiveCaptions(
  deps: Deps,
  input: CaptionFields & { id: number; bytes: Buffer; viewer: Viewer },
): Promise<ReceivedCaptions> {
  const { db, disk } = deps
  const { id: videoId, language = '', captionsId, bytes, viewer } = input
  requireEditable(await requireVideoOwner(db, { id: videoId, viewer }), viewer)
  const video = await findCaptionFolder(db, videoId)
  if (!video) throw new AppError('not-found', NO_SUCH_VIDEO)
  const { text, notice } = await readCaptions(bytes, viewer.id)
  const said = { language, label: input.label || (language && nameOf(language)) }
  const file = `captions-${randomBytes(6).toString('hex')}.vtt`
  const work = await disk.openWorkFolder(file)
  let made = { id: captionsId ?? 0, ...said }
  try {
    await writeFile(join(work, file), text)
    await publishFiles(deps, {
      video,
      workFolder: work,
      files: await measureFiles(work, [{ name: file, kind: 'captions' }]),
      payer: { userId: video.userId },
      publish: async (transaction) => {
        if (captionsId !== undefined) {
          made = await replaceCaptions(transaction, { id: captionsId, videoId, file, said })
          return
        }
        if ((await countCaptions(transaction, videoId)) >= CAPTIONS_PER_VIDEO) {
          const sentence = `A video has at most ${CAPTIONS_PER_VIDEO} captions. Delete some first.`
          throw new AppError('conflict', sentence)
        }
        made = { id: await insertCaptions(transaction, { videoId, file, ...said }), ...said }
      },
    })
  } catch (error) {
    throw explainTakenLabel(error, said.label)
  } finally {
    await removeFolder(work)
  }
  const url = mediaUrl(video.addressKey, file)
  return { ...made, url, ...(notice && { notice }) }
}

/** @throws `conflict` for a used label */
export async function editCaptions(
  deps: Deps,
  input: EditCaptions & { viewer: Viewer },
): Promise<Captions> {
  const { id, language, was } = input
  return inTransaction(deps.db, async (transaction) => {
    const now = await requireOwnCaptions(transaction, input)
    const label = input.label === '' ? nameOf(language ?? now.language) : input.label
    requireUnchanged({ now, wish: { language, label }, was })
    const change = { language: language ?? now.language, label: label ?? now.label }
    try {
      await updateCaptions(transaction, { id, change })
    } catch (error) {
      throw explainTakenLabel(error, change.label)
    }
    return { id, ...change, url: mediaUrl(now.addressKey, now.file) }
  })
}

export async function removeCaptions(
  deps: Deps,
  input: { id: number; viewer: Viewer },
): Promise<void> {
  const captions = await requireOwnCaptions(deps.db, input)
  const { id, videoId, file, mediaKey } = captions
  await retireFiles(deps, {
    video: { id: videoId, mediaKey },
    retire: (transaction) => deleteCaptions(transaction, { id, videoId, file }),
  })
}

async function requireOwnCaptions(db: Database, { id, viewer }: { id: number; viewer: Viewer }) {
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
