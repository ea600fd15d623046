import { measuredBandwidth } from './bandwidth.ts'

/** https://developer.mozilla.org/docs/Web/API/NetworkInformation, which Chromium has. */
type Connection = EventTarget & { saveData?: boolean; effectiveType?: string }

export const SPARING = '(prefers-reduced-data: reduce)'
/** The unit is bits per second. Browsers other than Chromium do not report `effectiveType`. */
const SPARING_BANDWIDTH = 2_000_000
const SLOW_TYPES = ['slow-2g', '2g', '3g']

const readConnection = () => (navigator as Navigator & { connection?: Connection }).connection

/** The viewer has asked the browser to save data. */
export function savesData(): boolean {
  return readConnection()?.saveData === true || matchMedia(SPARING).matches
}

/** Do not load what may not be used. */
export function isSparing(): boolean {
  if (savesData() || SLOW_TYPES.includes(readConnection()?.effectiveType ?? '')) return true
  const bandwidth = measuredBandwidth()
  return bandwidth !== null && bandwidth < SPARING_BANDWIDTH
}
