import {
  addressChangedLetter,
  passwordChangedLetter,
  verificationLetter,
} from './account/email/email-letters.ts'
import { resetLetter } from './account/member/reset-letter.ts'
import { digestLetter } from './community/digest/digest-letter.ts'
import type { MailKind } from './platform/mail/mailing.ts'

export const mailKinds: readonly MailKind[] = [
  verificationLetter,
  addressChangedLetter,
  passwordChangedLetter,
  resetLetter,
  digestLetter,
]
