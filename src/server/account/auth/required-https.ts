import type { Context } from '#server/platform/context.ts'
import { AppError } from '#server/platform/errors.ts'
import { findSignInSettings } from '../sign-in-settings/sign-in-settings.queries.ts'

/**
 * Refuses passwords over plain HTTP if the admin requires https. The setting has no effect without an https
 * `PUBLIC_URL`, because there would be no address to name.
 * @throws `forbidden`, naming the https address
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
