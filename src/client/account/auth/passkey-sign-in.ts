import { trpcClient } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { askPasskey } from './ask-passkey.ts'

/** @throws a sentence */
export async function signInByPasskey(rememberMe: boolean): Promise<OwnUser> {
  const options = await trpcClient.auth.beginPasskeySignIn.mutate()
  const passkey = await askPasskey(options)
  return trpcClient.auth.signInByPasskey.mutate({ passkey, rememberMe })
}

/**
 * Waits until a passkey is chosen at the field of the name; undefined if another way was.
 * @throws when the site refuses the passkey
 */
export async function offerPasskeyAtField(
  readRememberMe: () => boolean,
): Promise<OwnUser | undefined> {
  // Without the offer, the button and the password remain.
  const passkey = await choosePasskeyAtField().catch(() => undefined)
  if (!passkey) return undefined
  return trpcClient.auth.signInByPasskey.mutate({ passkey, rememberMe: readRememberMe() })
}

async function choosePasskeyAtField() {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  return askPasskey(await trpcClient.auth.beginPasskeySignIn.mutate(), { isAutofill: true })
}
