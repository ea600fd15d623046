import { z } from 'zod'
import { idSchema } from '../../field.schemas.ts'
import { VIEW_SOURCES } from '../../view-source.ts'
import { daysSchema } from './overview.schemas.ts'

const sums = { views: z.int(), watchSeconds: z.number(), likes: z.int() }

export const videoAnalyticsInputSchema = daysSchema.extend({ id: idSchema })

const analyticsSchema = z.object({
  totals: z.object(sums),
  /** Oldest first, without gaps, UTC. */
  days: z.array(z.object({ day: z.iso.date(), ...sums })),
  sources: z.array(z.object({ source: z.enum(VIEW_SOURCES), views: z.int() })),
})
export type Analytics = z.infer<typeof analyticsSchema>

export const channelAnalyticsSchema = analyticsSchema.extend({
  topVideos: z.array(
    z.object({ id: z.int(), title: z.string(), thumbnailUrl: z.string().nullable(), ...sums }),
  ),
})

export const videoAnalyticsSchema = analyticsSchema.extend({
  title: z.string(),
  durationSeconds: z.int(),
  /**
   * Share of viewers per hundredth of the video, relative to its most watched part; empty without
   * viewers.
   */
  retention: z.array(z.number()),
})
export type VideoAnalytics = z.infer<typeof videoAnalyticsSchema>
