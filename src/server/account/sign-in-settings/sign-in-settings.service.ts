import type { Database } from '#server/platform/db/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { SignInWays } from '#shared/schemas/sign-in.schemas.ts'
import { findSignInSettings, listOfferedProviders } from './sign-in-settings.queries.ts'

export async function readSignInWays(db: Database): Promise<Omit<SignInWays, 'sendsMail'>> {
  const { passwordsFor, ...settings } = await findSignInSettings(db)
  const providers = await listOfferedProviders(db)
  return {
    ...settings,
    // Without providers everybody may use a password, so that members are not locked out.
    passwordsFor: providers.length > 0 ? passwordsFor : 'everybody',
    providers,
  }
}

/** @throws `forbidden` where members sign in with a provider only */
export async function requirePasswordsForMembers(db: Database): Promise<void> {
  const { passwordsFor, providers } = await readSignInWays(db)
  if (passwordsFor === 'everybody') return
  const names = new Intl.ListFormat('en', { type: 'disjunction' }).format(
    providers.map(({ name }) => name),
  )
  throw new AppError('forbidden', `Members sign in with ${names} here, without a password.`)
}
