import { trpcClient } from '#client/trpc.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { askPasskey, isReplaced } from './ask-passkey.ts'

/** @throws a sentence */
export async function signInByPasskey(rememberMe: boolean): Promise<OwnUser> {
  const options = await trpcClient.auth.beginPasskeySignIn.mutate()
  const passkey = await askPasskey(options)
  return trpcClient.auth.signInByPasskey.mutate({ passkey, rememberMe })
}

/** Waits until a passkey is chosen at the field of the name; undefined if another way was. */
export async function offerPasskeyAtField(
  readRememberMe: () => boolean,
): Promise<OwnUser | undefined> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
  const options = await trpcClient.auth.beginPasskeySignIn.mutate()
  try {
    const passkey = await askPasskey(options, { isAutofill: true })
    return await trpcClient.auth.signInByPasskey.mutate({ passkey, rememberMe: readRememberMe() })
  } catch (error) {
    if (isReplaced(error)) return undefined
    throw error
  }
}
