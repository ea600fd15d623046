import { afterAll, beforeAll } from 'vitest'
import { openTestSite, type TestSite } from './test-site.ts'

/** Opens a site before the tests of a file and closes it after them; the object has no properties before that. */
export function setUpTestSite(...options: Parameters<typeof openTestSite>): TestSite {
  const site = {} as TestSite
  beforeAll(async () => {
    Object.assign(site, await openTestSite(...options))
  })
  afterAll(() => site.close())
  return site
}
