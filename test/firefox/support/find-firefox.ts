import { findProgram } from '../../support/installed-browser.ts'

const NAMES = ['firefox', 'firefox-esr', 'firefox.exe']
const ELSEWHERE = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** The path of the installed Firefox: what `FIREFOX` names, else the first that is found. */
export const findFirefox = (): string | undefined =>
  process.env.FIREFOX || findProgram(NAMES, ELSEWHERE)
