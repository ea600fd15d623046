import {
  platformAuthenticatorIsAvailable,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import type { CreationOptions, RequestOptions } from '#shared/schemas/second-factor.schemas.ts'
import { noteUsedPasskey } from './passkey-memory.ts'

const NOT_USED = 'No passkey was used. Try again, or choose another way.'

/** @throws an error with a sentence for the user, or an AbortError when a later request replaced this one */
export async function askPasskey(options: RequestOptions, { isAutofill = false } = {}) {
  requireHost(options.rpId)
  try {
    const answer = await startAuthentication({
      optionsJSON: options,
      useBrowserAutofill: isAutofill,
    })
    noteUsedPasskey()
    return answer
  } catch (error) {
    throw isReplaced(error) ? error : new Error(NOT_USED)
  }
}

/** @throws an error with a sentence for the user */
export async function makePasskey(options: CreationOptions) {
  requireHost(options.rp.id)
  try {
    const answer = await startRegistration({ optionsJSON: options })
    noteUsedPasskey()
    return answer
  } catch (error) {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError'
    throw new Error(
      isKnown ? 'This device already has one of your passkeys.' : 'No passkey was created.',
    )
  }
}

function requireHost(host: string): void {
  if (host !== location.hostname) throw new Error(`Passkeys of this site work at ${host} only.`)
}

/** The library aborts a pending request when the page starts another one. */
const isReplaced = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError'

export const endPasskeyQuestion = () => WebAuthnAbortService.cancelCeremony()

/** Resolves to true on devices with a platform authenticator, such as Windows Hello or Touch ID. */
export const hasOwnAuthenticator = () => platformAuthenticatorIsAvailable()
