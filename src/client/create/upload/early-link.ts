import { deviceStorage } from '#client/platform/browser-storage.ts'
import { createStore } from '#client/platform/store.ts'

const KEY = 'clutch:early-link'

const choice = createStore({ isOn: deviceStorage.read(KEY) !== 'off' })

/** Whether uploads from this browser have their link before they end. */
export const earlyLink = choice.get
export const subscribeToEarlyLink = choice.subscribe

export function chooseEarlyLink(isOn: boolean): void {
  choice.set({ isOn })
  deviceStorage.write(KEY, isOn ? 'on' : 'off')
}
