/** `npm run test:webkit`: the tests of this folder with WebKitGTK; without its driver a sentence, and no failure. */
import { findProgram, runTestsOf } from '../support/installed-browser.ts'
import { DRIVER } from './support/webdriver.ts'

runTestsOf(import.meta.dirname, {
  program: findProgram([DRIVER]),
  absence: `There is no ${DRIVER} on this machine (Debian: webkit2gtk-driver, and xvfb without a screen)`,
})
