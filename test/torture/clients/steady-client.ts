import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { ADDRESSES } from './abuser.ts'

const PAUSE_MS = 60
const ANSWER_MS = 20_000

type SteadyReport = {
  asked: number
  failed: string[]
  p50: number
  p99: number
  most: number
}

/** A user else, who goes on using the site meanwhile and notes how long each answer takes. */
export function startSteadyClient(input: { port: number; paths: string[] }) {
  const { port, paths } = input
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const times: number[] = []
  const failed: string[] = []
  let stopped = false

  const ask = (path: string, isNew: boolean) =>
    new Promise<void>((resolve) => {
      const began = performance.now()
      const end = (failure?: string) => {
        if (failure) failed.push(`${path}: ${failure}`)
        times.push(performance.now() - began)
        resolve()
      }
      const headers = { range: 'bytes=0-65535' }
      const options = { host: '127.0.0.1', port, path, localAddress: ADDRESSES.others, headers }
      const sent = request({ ...options, agent: isNew ? false : agent }, (response) => {
        response.on('error', (error) => end(error.message))
        response.on('end', () => {
          const { statusCode = 0 } = response
          end(statusCode === 200 || statusCode === 206 ? undefined : `answered ${statusCode}`)
        })
        response.resume()
      })
      sent.setTimeout(ANSWER_MS, () => sent.destroy(new Error('no answer in time')))
      sent.on('error', (error) => end(error.message))
      sent.end()
    })

  const work = (async () => {
    for (let count = 0; !stopped; count++) {
      // Every fifth comes on a connection of its own: those are let in too.
      await ask(paths[count % paths.length] ?? '/', count % 5 === 0)
      await pause(PAUSE_MS)
    }
  })()

  return {
    async stop(): Promise<SteadyReport> {
      stopped = true
      await work
      agent.destroy()
      times.sort((a, b) => a - b)
      const at = (part: number) => times[Math.floor((times.length - 1) * part)] ?? 0
      return { asked: times.length, failed, p50: at(0.5), p99: at(0.99), most: at(1) }
    },
  }
}
