/** `npm run test:firefox`: the tests of this folder with the installed Firefox; without one a sentence, and no failure. */
import { runTestsOf } from '../support/installed-browser.ts'
import { findFirefox } from './support/find-firefox.ts'

runTestsOf(import.meta.dirname, {
  program: findFirefox(),
  absence: 'There is no Firefox on this machine (FIREFOX can name one)',
})
