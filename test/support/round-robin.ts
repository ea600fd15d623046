import { startBalancer } from './balancer.ts'
import { isInstalled, startNginxOfNodes } from './deployed-proxy.ts'

/** A proxy that asks servers at ports of this machine in turn, and the next one where one takes no connection: nginx if it is installed. */
export async function startRoundRobin(ports: number[]) {
  if (!isInstalled('nginx', '-v'))
    return startBalancer(ports.map((port) => `http://127.0.0.1:${port}`))
  const nginx = await startNginxOfNodes(ports)
  return { origin: `http://127.0.0.1:${nginx.ports.http}`, stop: nginx.stop }
}
