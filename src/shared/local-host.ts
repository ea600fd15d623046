const IPV4 = /^\d{1,3}(\.\d{1,3}){3}$/
const HOST_AND_PORT =
  /^(?<host>\[[\da-f:.]+\]|[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)(?::(?<port>\d{1,5}))?$/iu
const HOST_MAX = 253
const PORT_MAX = 65_535

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

/**
 * Reads a name or an IP address, with or without a port.
 * @returns it as addresses have it: in lower case, IPv6 in brackets; undefined for other texts
 */
export function readHost(text: string): string | undefined {
  const isPlainIPv6 = text.split(':').length > 2 && !text.startsWith('[')
  const { host = '', port } =
    HOST_AND_PORT.exec(isPlainIPv6 ? `[${text}]` : text)?.groups ?? ({} as Record<string, string>)
  const hostname = URL.parse(`http://${host}`)?.hostname
  if (hostname === undefined || hostname.length > HOST_MAX) return undefined
  // A URL completes shorter IPv4 addresses: 10.5 is 10.0.0.5.
  if (IPV4.test(hostname) && hostname !== host) return undefined
  if (port === undefined) return hostname
  const isPort = Number(port) >= 1 && Number(port) <= PORT_MAX
  return isPort ? `${hostname}:${Number(port)}` : undefined
}

/** @param hosts from `readHost`; those without a port stand for all ports */
export function isListedHost(
  hosts: readonly string[],
  { protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>,
): boolean {
  const usedPort = port || (protocol === 'https:' ? '443' : '80')
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${usedPort}`)
}
