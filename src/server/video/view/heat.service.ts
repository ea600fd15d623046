import type { Database } from '#server/platform/db/database.ts'
import { listHeat } from './heat.queries.ts'
import { HEAT_SLICES } from './heat.ts'

/** Complete watches before parts are compared. */
const LEAST_WATCHES = 3

/** 0 to 1; empty after too few. */
export async function findHeat(
  db: Database,
  { videoId, durationSeconds }: { videoId: number; durationSeconds: number },
): Promise<number[]> {
  const rows = await listHeat(db, videoId)
  const total = rows.reduce((sum, { seconds }) => sum + seconds, 0)
  if (durationSeconds <= 0 || total < durationSeconds * LEAST_WATCHES) return []
  const most = Math.max(...rows.map(({ seconds }) => seconds))
  const heat = new Array<number>(HEAT_SLICES).fill(0)
  for (const { slice, seconds } of rows) heat[slice] = Math.round((seconds / most) * 1000) / 1000
  return heat
}
