import { estimateMontage } from '#server/account/room/estimates.ts'
import { requireRoom } from '#server/account/room/room.service.ts'
import { findStanding } from '#server/account/user/user.queries.ts'
import { inTransaction } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { failpoint } from '#server/platform/failpoints.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { MONTAGE_SECONDS_MAX } from '#shared/limits.ts'
import { planMontage } from '#shared/montage.ts'
import type { StartMontage } from '#shared/schemas/montage.schemas.ts'
import { insertJob } from '../job/job.queries.ts'
import { approvalOf } from '../video/approval.ts'
import { hasOpenMontage, insertMontage, insertMontageVideo } from './montage.queries.ts'
import { writeCredits } from './montage-credits.ts'
import { type FoundItem, findItems } from './montage-items.ts'

type Deps = Pick<AppDeps, 'config' | 'db' | 'disk' | 'media' | 'jobs'>
type Asking = StartMontage & { viewer: Viewer; origin: string }

const LARGEST = { width: 1920, height: 1080 }

/**
 * @param input.origin for links to the sources
 * @returns the new private video
 * @throws as `findItems`; `invalid` when too long, `conflict` during another montage,
 * `too-large`, `no-space`. See docs/decisions/0038-montages.md.
 */
export async function startMontage(deps: Deps, input: Asking): Promise<{ videoId: number }> {
  const { viewer } = input
  const items = await findItems(deps.db, input)
  const seconds = items.map(({ fromSeconds, toSeconds }) => toSeconds - fromSeconds)
  const { starts, totalSeconds } = planMontage({ ...input, seconds })
  if (totalSeconds > MONTAGE_SECONDS_MAX) {
    const minutes = MONTAGE_SECONDS_MAX / 60
    throw new AppError('invalid', `A montage lasts ${minutes} minutes at most. Leave some out.`)
  }
  const { width, height } = sizeOf(items)
  const bytes = estimateMontage({ seconds: totalSeconds, width, height })
  const settings = await findSiteSettings(deps.db)
  const room = { config: deps.config, bytes, freeBytes: await deps.disk.freeBytes() }
  const videoId = await inTransaction(deps.db, async (transaction) => {
    if (await hasOpenMontage(transaction, viewer.id)) {
      throw new AppError('conflict', 'Your last montage is still being made. Wait, or cancel it.')
    }
    await requireRoom(transaction, { ...room, userId: viewer.id })
    const [first] = items
    const id = await insertMontageVideo(transaction, {
      userId: viewer.id,
      title: input.title,
      description: creditsOf(items, { starts, origin: input.origin }),
      category: first?.source.category ?? '',
      tags: first?.source.tags ?? '[]',
      duration: Math.round(totalSeconds),
      ...{ width, height },
      discordEmbed: settings.discordEmbedByDefault ? 1 : 0,
      ...approvalOf(await findStanding(transaction, viewer.id), settings),
    })
    await insertMontage(transaction, {
      videoId: id,
      items: items.map(({ source: _, ...item }) => item),
      transition: input.transition,
      titleCard: input.titleCard ? 1 : 0,
    })
    await insertJob(transaction, { kind: 'montage', videoId: id })
    return id
  })
  failpoint('montage.queued')
  deps.jobs.wake(videoId)
  return { videoId }
}

/** An estimate, for queue and quota. */
function sizeOf(items: readonly FoundItem[]): { width: number; height: number } {
  const sides = items.map(({ source }) => Math.min(source.width ?? 0, source.height ?? 0))
  const side = Math.min(LARGEST.height, Math.max(...sides) || LARGEST.height)
  return { width: Math.round((side * LARGEST.width) / LARGEST.height), height: side }
}

function creditsOf(
  items: readonly FoundItem[],
  { starts, origin }: { starts: number[]; origin: string },
): string {
  const credits = items.map(({ title, clipId, videoId, fromSeconds, source }, index) => ({
    title,
    ownerName: source.isAnonymous === 1 ? null : source.displayName,
    url:
      clipId === null
        ? `${origin}/v/${videoId}?t=${Math.floor(fromSeconds)}`
        : `${origin}/clip/${clipId}`,
    // The first begins at 0:00, with the title card.
    startSeconds: index === 0 ? 0 : (starts[index] ?? 0),
  }))
  return writeCredits(credits)
}
