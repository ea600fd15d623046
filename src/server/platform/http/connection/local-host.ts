import { isIP } from 'node:net'

/** Whether a host, as it stands in a URL, is known to lead nowhere from outside: of this machine or its network. */
export function isLocalHost(hostname: string): boolean {
  if (hostname === 'localhost' || /\.(local|lan|internal|home\.arpa)$/.test(hostname)) return true
  if (isIP(hostname) === 4) {
    return /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)
  }
  return /^\[(::1|f[cd]|fe80)/.test(hostname) || !hostname.includes('.')
}
