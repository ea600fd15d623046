import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config.ts'
import { openTestSite, type TestSite } from '#test/support/test-site.ts'

let site: TestSite
let open: TestSite
beforeAll(async () => {
  site = await openTestSite({ publicUrl: 'https://clips.example' })
  open = await openTestSite()
})
afterAll(() => Promise.all([site.close(), open.close()]))

const ask = (host: string, on = site) => on.call({ url: '/api/health', headers: { host } })

test.each(['evil.example', 'clips.example.evil.example', 'evil.example:3000', 'clips.example.'])(
  'with PUBLIC_URL set, a request for the host %j is refused',
  async (host) => {
    const answer = await ask(host)
    expect(answer.statusCode).toBe(421)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.body).toBe('This site is at https://clips.example.')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  },
)

test.each([
  ...['clips.example', 'CLIPS.example', 'clips.example:443'],
  ...['localhost:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.5:3000', '[fd00::5]'],
  ...['nas', 'clutch:3000', 'nas.local', 'nas.lan', 'nas.home.arpa:3000'],
])(
  'a request for %s is answered: it is the site, or an address of the local network',
  async (host) => {
    expect((await ask(host)).statusCode).toBe(200)
  },
)

test('without PUBLIC_URL any host is answered', async () => {
  expect((await ask('any.example', open)).statusCode).toBe(200)
})

test('a CDN may ask for public files by its own name, and for nothing else', async () => {
  const { media } = readConfig({ MEDIA_PUBLIC_URL: 'https://cdn.example' })
  const behind = await openTestSite({ publicUrl: 'https://clips.example', media })
  const statuses = ['/cdn/none/video.mp4', '/media/none/video.mp4', '/api/health'].map(
    async (url) => (await behind.call({ url, headers: { host: 'cdn.example' } })).statusCode,
  )
  expect(await Promise.all(statuses)).toEqual([404, 421, 421])
  await behind.close()
})
