import { afterAll, beforeAll, expect, test } from 'vitest'
import { addSharedVideo, openSiteWithPages } from '#test/support/shared-site.ts'
import type { TestSite } from '#test/support/test-site.ts'

/** Of an address in 10 seconds: a tenth of the 300 reads. */
const READS = 30

let site: TestSite
let names: { id: number; video: string }
beforeAll(async () => {
  site = await openSiteWithPages({ rateLimitScale: READS / 300 })
  names = await addSharedVideo(site, await site.addMember('ann'))
})
afterAll(() => site.close())

let clients = 0
/** How often one address is answered before it is sent to wait. */
async function countAnswered(url: string): Promise<number> {
  const remoteAddress = `10.0.0.${++clients}`
  for (let count = 0; count <= READS * 2; count++) {
    const answer = await site.call({ url, remoteAddress })
    if (answer.statusCode !== 429) continue
    expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    expect(answer.body).toBe('That was too fast. Please wait a moment and try again.')
    return count
  }
  return Number.POSITIVE_INFINITY
}

test.each([
  ...['/', '/?category=Rust', '/video/{id}', '/video/999', '/playlist/1', '/search?q=a'],
  ...['/profile/1', '/embed/{id}', '/embed/999', '/nowhere', '/v/1', '/studio'],
  ...['/media/00000000000000000000000000000000/a.mp4', '/media/none/a.mp4', '/media/x'],
])('one address gets %s 30 times, and then is asked to wait', async (path) => {
  expect(await countAnswered(path.replace('{id}', `${names.id}`))).toBe(READS)
})

test.each(['{video}', '/api/health', '/assets/app.js'])(
  'who asks for %s is not counted',
  async (path) => {
    expect(await countAnswered(path.replace('{video}', names.video))).toBe(Number.POSITIVE_INFINITY)
  },
)
