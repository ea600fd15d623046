import { describe, expect, test } from 'vitest'
import { clientNetwork, networkOf } from '#server/platform/request/client-address.ts'
import { createProxyCheck } from '#server/platform/request/trusted-proxies.ts'

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:1000', '198.51.100.7'],
  ['[198.51.100.7]:1000', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:c633:6407', '198.51.100.7'],
  ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
  ['[::ffff:198.51.100.7]:1000', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:0001:0002::9', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]:1000', '2001:db8:1:2'],
  ['2001:db8:1:2::9%eth0', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1:2', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['fe80::1', 'fe80::1'],
  ['FE80:0::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:1000', 'fe80::1'],
  ['fd12:3456::1', 'fd12:3456::1'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

describe('what proxies forward', () => {
  const PROXY = '10.0.0.1'
  test.each([
    ['one address', ['198.51.100.7'], '198.51.100.7'],
    ['with a port', ['198.51.100.7:1000'], '198.51.100.7'],
    ['a word', ['unknown'], PROXY],
    ['an obfuscated name', ['_hidden'], PROXY],
    ['an address that is none', ['198.51.100.300'], PROXY],
    ['an address in the letters of another notation', ['0x7f.0.0.1'], PROXY],
    ['a port that is none', ['198.51.100.7:port'], PROXY],
    ['a word behind another proxy', ['10.0.0.2:4000', 'unknown'], '10.0.0.2'],
  ])('%s', (_, forwarded, network) => {
    expect(clientNetwork({ ip: forwarded.at(-1) ?? '', ips: [PROXY, ...forwarded] })).toBe(network)
  })

  test('a connection that has closed has no address', () => {
    expect(clientNetwork({ ip: undefined as never })).toBe('')
  })
})

test('a trusted proxy is known with a port, a zone and as an IPv6 address, and a word is none', () => {
  const isProxy = createProxyCheck(['10.0.0.0/8', 'fe80::/10', '2001:db8::5'])
  const known = ['10.1.2.3', '10.1.2.3:4000', '::ffff:10.1.2.3', 'fe80::1%eth0', '[2001:DB8::5]:80']
  expect(known.filter((address) => !isProxy(address))).toEqual([])
  const others = ['11.1.2.3', 'loopback', '', undefined, '2001:db8::6', '10.1.2']
  expect(others.filter((address) => isProxy(address))).toEqual([])
})
