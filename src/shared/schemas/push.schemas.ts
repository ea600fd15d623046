import { z } from 'zod'
import { idSchema } from '../field.schemas.ts'
import { isTimeZone } from '../quiet-hours.ts'

const keySchema = z.string().regex(/^[\w-]{16,100}$/)

/** Result of `PushSubscription.toJSON` in a browser. */
export const pushSubscriptionSchema = z.object({
  endpoint: z.url().max(1000),
  keys: z.object({ p256dh: keySchema, auth: keySchema }),
})
export type PushSubscriptionKeys = z.infer<typeof pushSubscriptionSchema>

const minuteSchema = z
  .int()
  .min(0)
  .max(24 * 60 - 1)

export const quietHoursSchema = z.object({
  fromMinute: minuteSchema,
  toMinute: minuteSchema,
  timeZone: z.string().max(100).refine(isTimeZone, 'There is no such time zone.'),
})

export const chooseQuietHoursSchema = z.object({ hours: quietHoursSchema.nullable() })

export const pushStateSchema = z.object({
  browsers: z.array(
    z.object({
      id: idSchema,
      userAgent: z.string().nullable(),
      createdAt: z.string(),
      sentAt: z.string().nullable(),
      /** Whether the browser belongs to the current session. */
      isCurrent: z.boolean(),
    }),
  ),
  quietHours: quietHoursSchema.nullable(),
})
export type PushState = z.infer<typeof pushStateSchema>
