/**
 * Loaded before a server (`node --import`), it puts its clock off by as many milliseconds as the file
 * named by CLOCK_FILE says, and follows the file. Timers and SQLite's own clock go on as they are, as
 * they do when an operator sets the clock.
 */
import { readFileSync } from 'node:fs'

const FOLLOW_MS = 20
const RealDate = Date
let offsetMs = 0

function follow(): void {
  const text = readFileSync(process.env.CLOCK_FILE ?? '', 'utf8')
  if (text !== '') offsetMs = Number(text)
}

const now = () => RealDate.now() + offsetMs

follow()
setInterval(follow, FOLLOW_MS).unref()
const shifted: DateConstructor = new Proxy(RealDate, {
  construct: (target, words, self) =>
    Reflect.construct(target, words.length > 0 ? words : [now()], self === shifted ? target : self),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
globalThis.Date = shifted
