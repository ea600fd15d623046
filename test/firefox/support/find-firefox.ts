import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['firefox', 'firefox-esr', 'firefox.exe']
const ELSEWHERE = [
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** The path of the installed Firefox: what `FIREFOX` names, else the first that is found. */
export function findFirefox(): string | undefined {
  const { FIREFOX, PATH = '' } = process.env
  if (FIREFOX) return FIREFOX
  const folders = PATH.split(delimiter)
  const named = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [...named, ...ELSEWHERE].find((path) => existsSync(path))
}
