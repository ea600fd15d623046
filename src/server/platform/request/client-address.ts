import { isIP, SocketAddress } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What one network has of IPv6: the first four of eight groups. */
const NETWORK_GROUPS = 4

// Addresses of a local network: link-local, and unique local ones. All of its machines share a /64.
const LOCAL_IPV6 = /^f(e[89ab]|[cd])/
const BRACKETED = /^\[([^\]]*)\](?::\d{1,5})?$/
const WITH_PORT = /^([^:]*):\d{1,5}$/
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/

/**
 * Reads an address as proxies write them: with a port behind it, in brackets, with a zone, or an IPv4 address within
 * an IPv6 one.
 * @returns the address alone in its canonical form, undefined for anything that is not one
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

/** An IPv4 address, or the network (/64) that an IPv6 address from outside is one of very many of. */
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
 * The network that a request comes from, by which limits, logs and views tell people apart. Of what trusted proxies
 * forward, the last entry that is an address counts: a proxy that writes `unknown` or another word there is itself
 * the one who asks. Nothing else reads the address of a request; a test checks that.
 */
export function clientNetwork({ ip, ips = [ip] }: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const addresses = ips.map((entry) => parseAddress(entry ?? ''))
  return networkOf(addresses.findLast((address) => address !== undefined) ?? '')
}
