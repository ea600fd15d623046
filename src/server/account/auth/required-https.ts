import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSignInSettings } from '../sign-in-settings/sign-in-settings.queries.ts'

/**
 * Where the admin wants it, passwords are taken over https alone. Without an https `PUBLIC_URL` there is no
 * address to name, and the setting has no effect.
 * @throws `forbidden`, naming the right address
 */
export async function requireHttps({
  db,
  config,
  arrival,
}: Pick<Context, 'db' | 'config' | 'arrival'>): Promise<void> {
  if (!config.secureCookies || arrival().origin.startsWith('https:')) return
  if (!(await findSignInSettings(db)).needsHttps) return
  throw new AppError(
    'forbidden',
    `This address is not encrypted. Please use ${config.publicUrl} instead.`,
  )
}
