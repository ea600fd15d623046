import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** @returns whether a request came from one of these proxies on a member's behalf */
export function createProxyCheck(trustedProxies: string[]): (request: IncomingMessage) => boolean {
  const known = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) known.addAddress(address, family)
    else known.addSubnet(address, Number(bits), family)
  }
  return ({ headers, socket }) => {
    if (headers['x-forwarded-for'] === undefined) return false
    const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    return known.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
