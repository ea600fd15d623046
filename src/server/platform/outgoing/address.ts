import ipaddr from 'ipaddr.js'

type Kind = 'public' | 'local' | 'forbidden'

/** Ranges that a home or company network uses, and the machine itself. */
const LOCAL = new Set(['private', 'uniqueLocal', 'loopback', 'carrierGradeNat'])

/**
 * Classifies a resolved address. Link-local addresses, where clouds answer with credentials of the
 * machine, are forbidden like all other special ranges.
 */
export function kindOfAddress(address: string): Kind {
  if (!ipaddr.isValid(address)) return 'forbidden'
  // An IPv6 address that stands for an IPv4 one is judged as that.
  const parsed = ipaddr.process(address)
  const range = parsed.range()
  if (isIPv4Compatible(parsed) && range !== 'loopback') return 'forbidden'
  if (range === 'unicast') return 'public'
  return LOCAL.has(range) ? 'local' : 'forbidden'
}

/** `::1.2.3.4`, a deprecated form that also stands for an IPv4 address. */
function isIPv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return 'parts' in address && address.parts.slice(0, 6).every((part) => part === 0)
}
