import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import { trpcClient } from '#client/trpc.ts'

const OFFERED = 'clutch-passkey-offered'

/**
 * Describes the offer to add a passkey. It is made once per browser, on devices with a platform authenticator, to
 * members without a passkey.
 * @returns the text and button of the toast after the sign-in, or undefined for no offer
 */
export async function describePasskeyOffer(openSettings: () => void) {
  if (deviceStorage.read(OFFERED) !== null) return undefined
  if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return undefined
  const { passkeys, passkeyHost } = await trpcClient.security.factors.query()
  if (passkeys.length > 0 || passkeyHost !== location.hostname) return undefined
  deviceStorage.write(OFFERED, 'once')
  const open = () => {
    notifications.clean()
    openSettings()
  }
  return {
    message: 'You have successfully logged in. With a passkey, you need no password next time.',
    action: (
      <Button variant="default" size="sm" onClick={open}>
        Add a passkey
      </Button>
    ),
  }
}
