import { BlockList, isIPv6 } from 'node:net'
import { parseAddress } from './client-address.ts'

/** @param trustedProxies addresses or subnets */
export function createProxyCheck(
  trustedProxies: string[],
): (address: string | undefined) => boolean {
  const known = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/')
    if (bits === undefined) known.addAddress(address, familyOf(address))
    else known.addSubnet(address, Number(bits), familyOf(address))
  }
  return (address = '') => {
    const plain = parseAddress(address)
    return plain !== undefined && known.check(plain, familyOf(plain))
  }
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
