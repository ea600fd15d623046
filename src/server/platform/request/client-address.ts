import { isIP, SocketAddress } from 'node:net'
import type { FastifyRequest } from 'fastify'

const NETWORK_GROUPS = 4
const RANGE_GROUPS = 3
const IPV4_HEAD = /^(\d+\.\d+\.\d+)\.\d+$/

// Link-local and unique local: machines share a /64.
const LOCAL_IPV6 = /^f(e[89ab]|[cd])/
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^([^:]*):\d{1,5}$/
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * With port, brackets, zone or IPv4 within IPv6.
 * @returns canonical form
 */
export function parseAddress(text: string): string | undefined {
  const [, host = text] = BRACKETED.exec(text) ?? WITH_PORT.exec(text) ?? []
  const address = host.replace(/%.*$/, '')
  const family = isIP(address)
  if (family === 0) return undefined
  if (family === 4) return address
  const canonical = new SocketAddress({ address, family: 'ipv6' }).address
  return MAPPED_IPV4.exec(canonical)?.[1] ?? canonical
}

/** IPv4 address, or /64 of a public IPv6 address. */
export function networkOf(address: string): string {
  const plain = parseAddress(address) ?? address
  if (isIP(plain) !== 6 || LOCAL_IPV6.test(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return groups.slice(0, NETWORK_GROUPS).join(':')
}

/**
 * Returns the range that is stored for a network: the /24 of an IPv4 address, the /48 of an IPv6 address.
 * @param network a result of `networkOf`
 */
export function rangeOf(network: string): string | null {
  const [, ipv4] = IPV4_HEAD.exec(network) ?? []
  if (ipv4 !== undefined) return `${ipv4}.0/24`
  const [head = ''] = network.split('::')
  if (head === '') return null
  const groups = head.split(':').slice(0, RANGE_GROUPS)
  const address = `${groups.join(':')}::`
  if (isIP(address) !== 6) return null
  return `${new SocketAddress({ address, family: 'ipv6' }).address}/48`
}

/**
 * For limits, logs and views; nothing else reads an address (tested). The last valid forwarded one
 * counts; a trusted proxy that writes `unknown` is the client.
 */
export function clientNetwork({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const addresses = ips.map((entry) => parseAddress(entry ?? ''))
  return networkOf(addresses.findLast((address) => address !== undefined) ?? '')
}
