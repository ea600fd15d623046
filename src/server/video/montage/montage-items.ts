import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { MONTAGE_ITEM_SECONDS_MIN } from '#shared/limits.ts'
import type { MontageItem } from '#shared/schemas/montage.schemas.ts'
import { canTakeFrom } from './montage.access.ts'
import { findClipRange, findMontageSource, type StoredItem } from './montage.queries.ts'

/** Stored lengths are whole seconds. */
const ROUNDING_SECONDS = 0.5

type Source = NonNullable<Awaited<ReturnType<typeof findMontageSource>>>
export type FoundItem = StoredItem & { source: Source }

/**
 * @throws AppError naming the item: `not-found`, `forbidden` by its owner, `conflict` while not
 * playing, `invalid` range
 */
export async function findItems(
  db: Database,
  { items, viewer }: { items: readonly MontageItem[]; viewer: Viewer },
): Promise<FoundItem[]> {
  const found: FoundItem[] = []
  for (const [index, item] of items.entries()) {
    const one = await findItem(db, { item, viewer })
    if (!one) throw new AppError('not-found', `${nameOf(item, index)} is gone. Leave it out.`)
    requireAllowed(one, viewer)
    requireRange(one)
    found.push(one)
  }
  return found
}

/** @throws `unprocessable` naming the first item changed since the request */
export async function requireUnchanged(
  db: Database,
  { items, viewer }: { items: readonly StoredItem[]; viewer: Viewer },
): Promise<FoundItem[]> {
  const found: FoundItem[] = []
  for (const item of items) {
    const clip = item.clipId === null ? item : await findClipRange(db, item.clipId)
    const source = clip && (await findMontageSource(db, { id: item.videoId, viewer }))
    if (!source?.videoUrl) throw lost(item, 'is gone')
    if (!canTakeFrom(source, viewer)) throw lost(item, 'may not be used any more')
    if (source.mediaKey !== item.mediaKey) throw lost(item, 'has another recording now')
    found.push({ ...item, source })
  }
  return found
}

function lost({ title }: StoredItem, what: string): AppError {
  return new AppError('unprocessable', `“${title}” ${what}. Export the others again without it.`)
}

function nameOf(item: MontageItem, index: number): string {
  const what = 'clipId' in item ? `clip ${item.clipId}` : `video ${item.videoId}`
  return `Number ${index + 1} of the list (${what})`
}

async function findItem(
  db: Database,
  { item, viewer }: { item: MontageItem; viewer: Viewer },
): Promise<FoundItem | undefined> {
  const clip = 'clipId' in item ? await findClipRange(db, item.clipId) : undefined
  const id = 'clipId' in item ? clip?.videoId : item.videoId
  const source = id === undefined ? undefined : await findMontageSource(db, { id, viewer })
  if (!source) return undefined
  const range = 'clipId' in item ? rangeOf(clip) : item
  return {
    clipId: 'clipId' in item ? item.clipId : null,
    videoId: source.id,
    mediaKey: source.mediaKey,
    title: clip?.title ?? source.title,
    fromSeconds: range.fromSeconds,
    toSeconds: range.toSeconds,
    source,
  }
}

function rangeOf(clip: Awaited<ReturnType<typeof findClipRange>>) {
  return { fromSeconds: clip?.startSeconds ?? 0, toSeconds: clip?.endSeconds ?? 0 }
}

function requireAllowed({ title, source }: FoundItem, viewer: Viewer): void {
  if (!canTakeFrom(source, viewer)) {
    const sentence = `The owner of “${title}” does not allow others to make videos of it.`
    throw new AppError('forbidden', sentence)
  }
  const plays = source.processingState === 'ready' && source.videoUrl !== null
  if (!plays || source.videoFileExists === 0) {
    throw new AppError('conflict', `“${title}” does not play yet. Export it when it does.`)
  }
}

function requireRange({ title, fromSeconds, toSeconds, source }: FoundItem): void {
  if (toSeconds <= fromSeconds) throw new AppError('invalid', `“${title}” ends before it begins.`)
  if (toSeconds > source.duration + ROUNDING_SECONDS) {
    throw new AppError('invalid', `“${title}” goes beyond the end of its video.`)
  }
  if (toSeconds - fromSeconds < MONTAGE_ITEM_SECONDS_MIN) {
    const sentence = `“${title}” is shorter than ${MONTAGE_ITEM_SECONDS_MIN} seconds.`
    throw new AppError('invalid', sentence)
  }
}
