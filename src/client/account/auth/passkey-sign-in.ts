import { trpcClient } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { askPasskey } from './ask-passkey.ts'

/** @throws an error with a sentence for the user */
export async function signInByPasskey(rememberMe: boolean): Promise<OwnUser> {
  const options = await trpcClient.auth.beginPasskeySignIn.mutate()
  const passkey = await askPasskey(options)
  return trpcClient.auth.signInByPasskey.mutate({ passkey, rememberMe })
}

/**
 * Waits until the member chooses a passkey from the autofill of the username field. Resolves to undefined if the
 * browser offers none or the member signs in another way.
 * @throws when the site refuses the passkey
 */
export async function offerPasskeyAtField(
  readRememberMe: () => boolean,
): Promise<OwnUser | undefined> {
  // Errors of the autofill are ignored, because the button and the password still work.
  const passkey = await choosePasskeyAtField().catch(() => undefined)
  if (!passkey) return undefined
  return trpcClient.auth.signInByPasskey.mutate({ passkey, rememberMe: readRememberMe() })
}

async function choosePasskeyAtField() {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  return askPasskey(await trpcClient.auth.beginPasskeySignIn.mutate(), { isAutofill: true })
}
