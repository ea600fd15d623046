const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/

/** True for addresses of the machine that opens them. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    /^(.+\.)?localhost$|^\[?::1\]?$/.test(hostname) ||
    (IPV4.test(hostname) && /^(0|127)\./.test(hostname))
  )
}

/** True for addresses unreachable from outside the machine or its network. */
export function isLocalHost(hostname: string): boolean {
  if (isLoopbackHost(hostname) || /\.(local|lan|internal|home\.arpa)$/.test(hostname)) return true
  if (IPV4.test(hostname)) {
    return /^(10|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(hostname)
  }
  return /^\[(f[cd]|fe80)/.test(hostname) || !hostname.includes('.')
}
