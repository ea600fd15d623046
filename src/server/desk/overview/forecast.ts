import type { Forecast } from '#shared/schemas/desk/overview.schemas.ts'

const DAY_MS = 86_400_000
const LEAST_DAYS = 3
const WEEKS_MAX = 520

export type StorageSample = { day: string; bytes: number }

/** By linear regression. */
export function forecastStorage(samples: StorageSample[], freeBytes: number): Forecast {
  const points = samples.map(({ day, bytes }) => ({ x: Date.parse(day) / DAY_MS, y: bytes }))
  const days = points.map(({ x }) => x)
  if (points.length < 2 || Math.max(...days) - Math.min(...days) < LEAST_DAYS) {
    return { kind: 'unknown' }
  }
  const bytesPerWeek = slope(points) * 7
  const weeks = Math.max(0, freeBytes) / bytesPerWeek
  if (bytesPerWeek <= 0 || weeks > WEEKS_MAX) return { kind: 'not-filling' }
  return { kind: 'filling', weeks, bytesPerWeek }
}

function slope(points: { x: number; y: number }[]): number {
  const mean = (pick: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length
  const [middleX, middleY] = [mean(({ x }) => x), mean(({ y }) => y)]
  let together = 0
  let spread = 0
  for (const { x, y } of points) {
    together += (x - middleX) * (y - middleY)
    spread += (x - middleX) ** 2
  }
  return together / spread
}
