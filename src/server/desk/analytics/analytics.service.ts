import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Viewer } from '#server/platform/viewer.ts'
import { requireVideoOwner } from '#server/video/video/video.service.ts'
import { listHeat } from '#server/video/view/heat.queries.ts'
import { HEAT_SLICES } from '#server/video/view/heat.ts'
import type { VideoAnalytics } from '#shared/schemas/desk/analytics.schemas.ts'
import { listTopVideos, readAnalytics } from './analytics.queries.ts'

export async function readChannelAnalytics(db: Database, input: { viewer: Viewer; days: number }) {
  const { days } = input
  const userId = input.viewer.id
  return {
    ...(await readAnalytics(db, { subject: { userId }, days })),
    topVideos: await listTopVideos(db, { userId, days }),
  }
}

export async function readVideoAnalytics(
  db: Database,
  input: { id: number; days: number; viewer: Viewer },
): Promise<VideoAnalytics> {
  const { id, days, viewer } = input
  const { userId, title, duration } = await requireVideoOwner(db, { id, viewer })
  if (userId !== viewer.id) {
    throw new AppError('forbidden', 'Only its owner can see how this video is watched.')
  }
  return {
    ...(await readAnalytics(db, { subject: { videoId: id }, days })),
    title,
    durationSeconds: duration,
    retention: await readRetention(db, id),
  }
}

async function readRetention(db: Database, videoId: number): Promise<number[]> {
  const rows = await listHeat(db, videoId)
  const most = Math.max(0, ...rows.map(({ seconds }) => seconds))
  if (most === 0) return []
  const retention = new Array<number>(HEAT_SLICES).fill(0)
  for (const { slice, seconds } of rows)
    retention[slice] = Math.round((seconds / most) * 1000) / 1000
  return retention
}
