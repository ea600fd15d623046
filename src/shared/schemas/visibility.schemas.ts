import { z } from 'zod'

/**
 * Who may see a video or a playlist: everybody; whoever is signed in; whoever has its address, while no list has it; its owner
 * and the members that they name. Admins may see all.
 */
export const VISIBILITIES = ['public', 'members', 'unlisted', 'private'] as const

export const visibilitySchema = z.enum(VISIBILITIES)
export type Visibility = z.infer<typeof visibilitySchema>

/** Whether `to` is for fewer people than `from`. */
export function isLessVisible(from: Visibility, to: Visibility): boolean {
  const order: Visibility[] = ['public', 'unlisted', 'members', 'private']
  return order.indexOf(to) > order.indexOf(from)
}
