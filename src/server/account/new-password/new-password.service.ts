import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { newPasswordRule } from '#shared/field-rules.ts'
import { findSignInSettings } from '../sign-in-settings/sign-in-settings.queries.ts'
import { foldPassword, isCommonPassword } from './common-passwords.ts'

/** Words of the account that its password must not consist of. */
export type OwnWords = { username: string; email: string; displayName: string }

const PROGRAM = 'Clutch'
/** Shorter words are part of too many passwords. */
const STEM_MIN = 3

/**
 * Checks a password that is being set. Existing passwords keep working. See docs/decisions/0081-new-passwords.md.
 * @throws `invalid` for a password that is too short, easily guessed or known from stolen lists
 */
export async function requireGoodPassword(
  db: Database,
  { password, account }: { password: string; account: OwnWords },
): Promise<void> {
  const { passwordMin } = await findSignInSettings(db)
  const problem =
    newPasswordRule(passwordMin)(password) ??
    describeRepetition(password) ??
    (await describeOwnWord(db, { password, account })) ??
    ((await isCommonPassword(password))
      ? 'This password is known from lists of stolen passwords. Please choose another one.'
      : undefined)
  if (problem) throw new AppError('invalid', problem)
}

function describeRepetition(password: string): string | undefined {
  if (password.trim() === '') return 'A password that consists only of spaces is too easy to guess.'
  const characters = new Set(foldPassword(password))
  if (characters.size === 1) return 'A password that repeats one character is too easy to guess.'
}

async function describeOwnWord(
  db: Database,
  { password, account }: { password: string; account: OwnWords },
): Promise<string | undefined> {
  const { username, email, displayName } = account
  const own = [username, displayName, email, email.replace(/@.*/, '')]
  if (own.some((word) => isAround(word, password))) {
    return 'Your password must not be your username, display name or email.'
  }
  const { name } = await findSiteSettings(db)
  if ([name, PROGRAM].some((word) => isAround(word, password))) {
    return 'Your password must not be the name of this site.'
  }
}

/** Compares without regard to case, punctuation, and digits before and after the word. */
function isAround(word: string, password: string): boolean {
  const [plainWord, plainPassword] = [toPlain(word), toPlain(password)]
  if (plainWord === '') return false
  const stem = toStem(plainWord)
  return plainWord === plainPassword || (stem.length >= STEM_MIN && stem === toStem(plainPassword))
}

const toPlain = (text: string) => foldPassword(text).replaceAll(/[^\p{L}\p{N}]/gu, '')
const toStem = (plain: string) => plain.replaceAll(/^\p{N}+|\p{N}+$/gu, '')
