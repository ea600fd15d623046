import { expect, test } from 'vitest'
import { describeLink, describeReach } from '#client/desk/setup/reach-findings.ts'
import type { Reach } from '#shared/schemas/desk/setup.schemas.ts'

const HOME: Reach = {
  publicUrl: null,
  origin: 'http://192.168.1.5:3000',
  lanOrigins: ['http://192.168.1.5:3000'],
  loneHost: null,
  proxy: 'none',
  peer: '192.168.1.9',
  isPublic: false,
}
const PROXIED: Reach = {
  ...HOME,
  publicUrl: 'https://clips.example.org',
  origin: 'https://clips.example.org',
  lanOrigins: [],
  loneHost: '127.0.0.1',
  proxy: 'trusted',
  peer: '127.0.0.1',
  isPublic: true,
}
const tones = (reach: Reach) => describeReach(reach).map(({ tone }) => tone)
const texts = (reach: Reach) => describeReach(reach).map(({ text }) => text)

test('a site among friends at home has nothing to do, and says where it is opened', () => {
  expect(tones(HOME)).toEqual(['good', 'note', 'note', 'note'])
  expect(describeReach(HOME)[0]?.lines).toEqual(['http://192.168.1.5:3000'])
  expect(texts(HOME)[2]).toMatch(/Links carry http:\/\/192\.168\.1\.5:3000, an address of your own/)
})

test('behind a proxy that is trusted, with https, all is well', () => {
  expect(tones(PROXIED)).toEqual(['note', 'good', 'good', 'good'])
})

test('a proxy that replaces the host is told before anybody is refused', () => {
  const behind = { ...HOME, origin: 'http://127.0.0.1:3000' }
  expect(describeReach(behind, 'https://clips.example.org')[3]).toMatchObject({
    tone: 'act',
    text: expect.stringContaining('arrived for 127.0.0.1:3000'),
    lines: ['PUBLIC_URL=https://clips.example.org'],
  })
  expect(describeReach(HOME, HOME.origin)[3]?.tone).toBe('note')
  expect(
    describeReach(
      { ...behind, publicUrl: 'https://clips.example.org' },
      'https://clips.example.org',
    )[3]?.tone,
  ).not.toBe('act')
})

test('what is to be done names the variable and its value', () => {
  expect(describeReach({ ...PROXIED, proxy: 'untrusted', peer: '172.18.0.2' })[3]).toMatchObject({
    tone: 'act',
    lines: ['TRUSTED_PROXY=172.18.0.2'],
  })
  const open = { ...HOME, origin: 'http://clips.example.org', isPublic: true }
  expect(tones(open)).toEqual(['good', 'act', 'act', 'note'])
  expect(describeReach(open)[1]?.lines).toEqual(['PUBLIC_URL=https://clips.example.org'])
  const unencrypted = { ...PROXIED, publicUrl: 'http://clips.example.org' }
  expect(tones(unencrypted)).toEqual(['note', 'act', 'act', 'good'])
  const past = { ...PROXIED, proxy: 'none' as const, origin: 'http://192.168.1.5:3000' }
  expect(texts(past)[3]).toMatch(/^You came past it, by http:\/\/192\.168\.1\.5:3000\./)
})

test.each([
  ['http://localhost:3000', 'act', 'Others cannot open this link'],
  ['http://127.0.0.1:3000', 'act', 'Others cannot open this link'],
  ['http://[::1]:3000', 'act', 'Others cannot open this link'],
  ['http://0.0.0.0:3000', 'act', 'Others cannot open this link'],
  ['http://clips.localhost', 'act', 'Others cannot open this link'],
  ['http://192.168.1.5:3000', 'note', 'Only people on your network can open this link'],
  ['http://nas:3000', 'note', 'Only people on your network can open this link'],
  ['https://clips.example.org', undefined, undefined],
  ['https://127.example.org', undefined, undefined],
])('a link that begins with %s says who cannot open it', (origin, tone, title) => {
  const finding = describeLink(HOME, origin)
  expect([finding?.tone, finding?.title]).toEqual([tone, title])
  if (finding) expect(finding.lines).toContain('PUBLIC_URL=https://clips.example.org')
})

test('a link of this machine alone names the addresses that the network has for it', () => {
  expect(describeLink(HOME, 'http://localhost:3000')?.lines?.[0]).toBe('http://192.168.1.5:3000')
  expect(describeLink(PROXIED, 'http://localhost:3000')?.text).not.toMatch(/network/)
})
