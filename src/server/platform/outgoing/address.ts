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
  const range = ipaddr.process(address).range()
  if (range === 'unicast') return 'public'
  return LOCAL.has(range) ? 'local' : 'forbidden'
}
