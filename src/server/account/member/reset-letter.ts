import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { inTransaction, timestamp } from '#server/platform/db/database.ts'
import type { MailKind } from '#server/platform/mail/mailing.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import { MAILED_RESET_HOURS } from '#shared/limits.ts'
import { readSignInWays } from '../sign-in-settings/sign-in-settings.service.ts'
import {
  deleteMailedResets,
  findMemberToReset,
  insertPasswordReset,
  isLeftToLink,
} from './member.queries.ts'

const HOUR_MS = 3_600_000
const named = z.object({ name: z.string() })

/** Sent to the address of the account, verified or not. See docs/decisions/0080-mail.md. */
export const resetLetter: MailKind<z.infer<typeof named>> = {
  kind: 'password-reset',
  data: named,
  async compose({ db, limits, origin }, { data: { name }, isRepeated }) {
    const member = await findMemberToReset(db, name)
    if (!member) return undefined
    const { passwordsFor } = await readSignInWays(db)
    if (passwordsFor === 'admins' && member.isAdmin !== 1) return undefined
    // An intruder may have changed the address of the account.
    if (await isLeftToLink(db, member.id)) return undefined
    if (!isRepeated && !(await limits.passwordLinksOfMember.isWithin(`${member.id}`))) {
      return undefined
    }
    const token = randomBytes(32).toString('base64url')
    await inTransaction(db, async (transaction) => {
      // If the email is sent again, it may have been delivered before, so its earlier link is kept.
      if (!isRepeated) await deleteMailedResets(transaction, member.id)
      await insertPasswordReset(transaction, {
        tokenHash: digestOf(token),
        userId: member.id,
        expiresAt: timestamp(new Date(Date.now() + MAILED_RESET_HOURS * HOUR_MS)),
        mailedTo: member.email,
      })
    })
    return {
      userId: member.id,
      to: member.email,
      subject: 'Set a new password',
      text: [
        `Hello @${member.username},`,
        `Somebody asked for a new password for the account @${member.username}. If it was you, set one with this link. It works once, within ${MAILED_RESET_HOURS} hour.`,
        'If it was not you, ignore this email. Your password stays as it is.',
      ],
      button: { label: 'Set a new password', href: `${origin}/reset#${token}` },
      reason: 'You received this email because a new password was asked for on the sign-in page.',
    }
  },
}
