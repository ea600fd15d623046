import type { HistoryItem } from '#shared/schemas/library.schemas.ts'
import { formatDate } from '#shared/text/format.ts'

const DAY_MS = 86_400_000

type HistoryDay = { name: string; items: HistoryItem[] }

/** Local days, latest first: 'Today', 'Yesterday', 'Nov 21, 2026'. */
export function groupByDay(items: HistoryItem[], now: Date = new Date()): HistoryDay[] {
  const names = new Map([
    [formatDate(new Date(now.getTime() - DAY_MS)), 'Yesterday'],
    [formatDate(now), 'Today'],
  ])
  const days: HistoryDay[] = []
  for (const item of items) {
    const date = formatDate(item.watchedAt)
    const name = names.get(date) ?? date
    const last = days.at(-1)
    if (last?.name === name) last.items.push(item)
    else days.push({ name, items: [item] })
  }
  return days
}
