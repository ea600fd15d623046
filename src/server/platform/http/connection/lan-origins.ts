import { networkInterfaces } from 'node:os'
import type { Config } from '../../config.ts'

/** Empty when listening on one address. */
export function listLanOrigins({ host }: Pick<Config, 'host'>, port: number): string[] {
  if (host !== '0.0.0.0' && host !== '::') return []
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`)
}
