import { z } from 'zod'
import { findRecipient } from '#server/account/email/email.queries.ts'
import { hasWorkingAddress } from '#server/account/email/email-letters.ts'
import type { MailKind } from '#server/platform/mail/mailing.ts'
import { groupNotifications, messageOf, titleOf } from '#shared/group-notifications.ts'
import { countOf } from '#shared/text/format.ts'
import { listNotifications } from '../notification/notification-list.queries.ts'
import { findDigest } from './digest.queries.ts'
import { makeUnsubscribeToken } from './unsubscribe-token.ts'

const WITH_MORE = 'New since the last summary (there is more on the site):'
const LINES_MAX = 20
const NOTIFICATIONS_MAX = 100

const range = z.object({
  /** Exclusive; `upToId` is inclusive. */
  afterId: z.int(),
  upToId: z.int(),
})

/**
 * Lists what the bell shows as unread when the email is written, without notifications that were read or whose
 * content is no longer visible.
 */
export const digestLetter: MailKind<z.infer<typeof range>> = {
  kind: 'digest',
  data: range,
  async compose({ db, origin }, { userId, data: { afterId, upToId } }) {
    const member = await findRecipient(db, userId)
    if (!member || !hasWorkingAddress(member)) return undefined
    const digest = await findDigest(db, member.id)
    if (!digest) return undefined
    const viewer = { ...member, isAdmin: member.isAdmin === 1 }
    const asked = { viewer, filter: 'unread', isGrouped: true, limit: NOTIFICATIONS_MAX } as const
    const { items, nextCursor } = await listNotifications(db, asked)
    const groups = groupNotifications(items.filter(({ id }) => id > afterId && id <= upToId))
    if (groups.length === 0) return undefined
    const lines = groups.slice(0, LINES_MAX).map((group) => ({
      title: titleOf(group),
      text: messageOf(group),
    }))
    const left = groups.length - lines.length
    const isMore = left > 0 || nextCursor !== null
    const token = await makeUnsubscribeToken(db, member.id)
    const unsubscribe = `${origin}/unsubscribe?token=${token}`
    const when = digest.every === 'day' ? 'once a day' : 'once a week'
    return {
      userId: member.id,
      to: member.email,
      subject: `${countOf(groups.length, 'new notification')}${nextCursor === null ? '' : ' and more'}`,
      text: [`Hello ${member.displayName},`, isMore ? WITH_MORE : 'New since the last summary:'],
      lines,
      button: { label: 'Open notifications', href: `${origin}/notifications` },
      reason: `You get this ${when}, as you chose in your settings.`,
      unsubscribe,
      headers: {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }
  },
}
