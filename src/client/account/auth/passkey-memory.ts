import { deviceStorage } from '#client/platform/browser-storage.ts'

const KEY = 'clutch-passkey'

/**
 * Returns true after a passkey was added or used in this browser. The sign-in page then offers passkeys by autofill.
 */
export const hasUsedPasskey = () => deviceStorage.read(KEY) === 'used'

export const noteUsedPasskey = () => deviceStorage.write(KEY, 'used')
