import { isIPv6 } from 'node:net'

/** What one network has of IPv6: the first four of eight groups. */
const NETWORK_GROUPS = 4

// Addresses of a local network: link-local, and unique local ones. All of its machines share a /64.
const LOCAL_IPV6 = /^f(e[89ab]|[cd])/i

/** An IPv4 address, or the network (/64) that an IPv6 address from outside is one of very many of. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (!isIPv6(address) || LOCAL_IPV6.test(address)) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const gap = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
