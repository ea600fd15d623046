import { deviceStorage } from '#client/platform/browser-storage.ts'

const KEY = 'clutch-passkey'

/** Whether a passkey was added or used in this browser, which then offers it at the field of the name. */
export const hasUsedPasskey = () => deviceStorage.read(KEY) === 'used'

export const noteUsedPasskey = () => deviceStorage.write(KEY, 'used')
