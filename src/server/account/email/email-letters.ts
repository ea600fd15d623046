import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { timestamp } from '#server/platform/db/database.ts'
import { type MailKind, noData } from '#server/platform/mail/mailing.ts'
import { digestOf } from '#server/platform/secret-digest.ts'
import { VERIFICATION_HOURS } from '#shared/limits.ts'
import { findRecipient, insertVerification } from './email.queries.ts'

// Emails to unverified addresses contain no display names: anybody can register with another person's address, and
// could write to that person in the name.
const HOUR_MS = 3_600_000
const addressed = z.object({ address: z.string() })

export const verificationLetter: MailKind<z.infer<typeof addressed>> = {
  kind: 'verify-email',
  data: addressed,
  async compose({ db, origin }, { userId, data: { address } }) {
    const member = await findRecipient(db, userId)
    if (!member || member.email !== address || hasWorkingAddress(member)) return undefined
    const token = randomBytes(32).toString('base64url')
    await insertVerification(db, {
      tokenHash: digestOf(token),
      userId: member.id,
      address,
      expiresAt: timestamp(new Date(Date.now() + VERIFICATION_HOURS * HOUR_MS)),
    })
    return {
      userId: member.id,
      to: address,
      subject: 'Verify your email address',
      text: [
        `Hello @${member.username},`,
        'Please confirm that this is the email address of your account.',
        `The link works once, within ${VERIFICATION_HOURS} hours.`,
      ],
      button: { label: 'Verify address', href: `${origin}/verify#${token}` },
      reason: `You received this email because the account @${member.username} was given this address. If it is not yours, ignore this email.`,
    }
  },
}

/** Sent to the old address, because its owner may not have made the change. */
export const addressChangedLetter: MailKind<z.infer<typeof addressed>> = {
  kind: 'address-changed',
  data: addressed,
  async compose({ db, origin }, { userId, data: { address } }) {
    const member = await findRecipient(db, userId)
    if (!member || member.email === address) return undefined
    return {
      userId: member.id,
      to: address,
      subject: 'Your email address was changed',
      text: [
        `Hello @${member.username},`,
        `The account @${member.username} has another email address now. This one no longer belongs to it.`,
        'If it was not you, change your password and tell an admin of the site.',
      ],
      button: { label: 'Open settings', href: `${origin}/settings` },
      reason: `You received this email because this was the address of the account @${member.username}.`,
    }
  },
}

export const passwordChangedLetter: MailKind<z.infer<typeof noData>> = {
  kind: 'password-changed',
  data: noData,
  async compose({ db, origin }, { userId }) {
    const member = await findRecipient(db, userId)
    if (!member) return undefined
    return {
      userId: member.id,
      to: member.email,
      subject: 'Your password was changed',
      text: [
        `Hello @${member.username},`,
        `The password of your account @${member.username} was changed. All other devices were logged out.`,
        'If it was not you, set a new password at once and tell an admin of the site.',
      ],
      button: { label: 'Sign in', href: `${origin}/auth` },
      reason: 'You received this email because it concerns the security of your account.',
    }
  },
}

/** The address is verified, and the mail server did not refuse it the last time. */
export const hasWorkingAddress = (member: {
  emailVerifiedAt: string | null
  emailRefusedAt: string | null
}) => member.emailVerifiedAt !== null && member.emailRefusedAt === null
