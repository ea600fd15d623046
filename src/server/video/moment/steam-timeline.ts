import { z } from 'zod'
import { AppError } from '#server/platform/errors.ts'
import { TIMELINE_ENTRIES_MAX } from '#shared/limits.ts'
import { cleanTitle } from '../processing/source/source-chapter.ts'
import type { TimelineMarker } from './moment.queries.ts'

/** Values of `possible_clip`. */
const clipPriority = { standard: 2, featured: 3 }
/** Playing, and waiting to play; others are menus and loading screens. */
const playModes = [1, 2]

/** Steam writes most numbers as strings. */
const timeSchema = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .pipe(z.number().min(0))
const numberSchema = z.coerce.number().catch(0)
const textSchema = z.string().catch('')

const entrySchema = z.object({
  time: timeSchema,
  type: textSchema,
  title: textSchema,
  description: textSchema,
  mode: numberSchema,
  possible_clip: numberSchema,
})
type Entry = z.infer<typeof entrySchema>

const timelineSchema = z.object({ entries: z.array(z.unknown()) })

/**
 * `timelines/timeline_{game}{date}_{time}.json` of Steam's game recording, with times from its
 * start.
 * @throws `unprocessable` for another file, over 5,000 entries, or an invalid time
 */
export function readTimeline(bytes: Uint8Array): TimelineMarker[] {
  const { data } = timelineSchema.safeParse(parseJson(bytes))
  if (!data) {
    const sentence = 'This is no timeline of Steam: choose a file from the folder “timelines”.'
    throw new AppError('unprocessable', sentence)
  }
  if (data.entries.length > TIMELINE_ENTRIES_MAX) {
    const most = TIMELINE_ENTRIES_MAX.toLocaleString('en')
    throw new AppError('unprocessable', `A timeline may have at most ${most} entries.`)
  }
  return data.entries.map(readEntry).flatMap((entry) => {
    const weight = weightOf(entry)
    return weight === 0 ? [] : [{ atSeconds: entry.time / 1000, weight, title: titleOf(entry) }]
  })
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function readEntry(entry: unknown): Entry {
  const { data } = entrySchema.safeParse(entry)
  if (!data) throw new AppError('unprocessable', 'An entry of this timeline has no valid time.')
  return data
}

/** 0 (ignored) to 1. */
function weightOf({ type, mode, possible_clip: clip }: Entry): number {
  switch (type) {
    case 'usermarker':
      return 1
    case 'event':
      if (clip >= clipPriority.featured) return 1
      return clip === clipPriority.standard ? 0.8 : 0.6
    case 'achievement':
      return 0.8
    case 'screenshot':
      return 0.6
    case 'phase':
      return 0.4
    case 'gamemode':
      return playModes.includes(mode) ? 0.2 : 0
    default:
      return 0
  }
}

/** '#' marks a text id of Steam. */
function titleOf({ title, description }: Entry): string | null {
  return cleanTitle([title, description].filter((text) => text && !text.startsWith('#')).join(': '))
}
