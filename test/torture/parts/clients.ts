import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { floodWithConnections, tryLimits } from '../clients/flood.ts'
import { countOpenFiles } from '../clients/open-files.ts'
import { beginSlowClients, quickScenes, type Target } from '../clients/scenes.ts'
import { startSteadyClient } from '../clients/steady-client.ts'
import { makeTarget } from '../clients/target.ts'
import { readResidentBytes } from '../inspected-process.ts'
import type { Figure, TortureInput, TorturePart, TortureResult } from '../part.ts'

const MIB = 1024 * 1024
const LARGE_BYTES = 64 * MIB
const SLOW_EACH = 200
/** Two minutes until a dripping request is given up, and half a minute until that is looked at. */
const SLOW_SECONDS = 240
const RESIDENT_MAX_BYTES = 512 * MIB
/** The answers of others may take so much longer than without abuse, in milliseconds. */
const P99_MAX_MS = 1000
const CONNECTIONS = { count: 1000, allowed: 500 }

export const part: TorturePart = {
  name: 'clients',
  description: 'clients that drip, flood, take nothing or break off, while others go on',
  run: tryClients,
}

async function tryClients({ folder, log }: TortureInput): Promise<TortureResult> {
  if (process.platform !== 'linux') {
    return { figures: [], failures: [], skipped: 'it needs addresses and files that Linux has' }
  }
  const server = await startServer({
    dataFolder: join(folder, 'direct'),
    env: { RATE_LIMIT_SCALE: '1' },
  })
  const report: TortureResult = { figures: [], failures: [] }
  try {
    const target = await makeTarget(server, LARGE_BYTES)
    await whileOthersGoOn({ server, target, report, name: 'nobody else' }, async () => {
      await pause(5000)
      return []
    })
    const before = await settledFiles(server)
    for (const { name, run } of quickScenes) {
      log(name)
      await whileOthersGoOn({ server, target, report, name }, () => run(target))
    }
    log('a flood of connections')
    await whileOthersGoOn({ server, target, report, name: 'a flood of connections' }, () =>
      floodWithConnections(target.port, CONNECTIONS),
    )
    log('slow clients')
    await whileOthersGoOn({ server, target, report, name: `${3 * SLOW_EACH} slow clients` }, () =>
      beginSlowClients(target, SLOW_EACH).waitForEnd(SLOW_SECONDS),
    )
    report.figures.push(...(await compareFiles(server, { before, failures: report.failures })))
    report.failures.push(...(await tryLimits(target.port, 'direct')))
  } finally {
    await server.stop('SIGKILL')
  }
  report.failures.push(...(await tryBehindProxy(folder)))
  return report
}

/** Does something to the site while another member uses it, and notes how that goes for them. */
async function whileOthersGoOn(
  input: { server: ServerProcess; target: Target; report: TortureResult; name: string },
  abuse: () => Promise<string[]>,
): Promise<void> {
  const { server, target, report, name } = input
  const paths = ['/api/videos', '/api/health', target.largeFile, '/', '/trpc/video.categories']
  const steady = startSteadyClient({ port: target.port, paths })
  let peak = 0
  const watch = setInterval(async () => {
    peak = Math.max(peak, await readResidentBytes(server.pid))
  }, 100)
  report.failures.push(...(await abuse()))
  const { asked, failed, p50, p99, most } = await steady.stop()
  clearInterval(watch)
  const times = [p50, p99, most].map((time) => time.toFixed(0)).join(' / ')
  report.figures.push(
    {
      what: `${name}: others’ p50 / p99 / longest, ms (${asked} asked)`,
      value: times,
      limit: `p99 ${P99_MAX_MS}`,
    },
    {
      what: `${name}: memory at most, MiB`,
      value: Math.round(peak / MIB),
      limit: `${RESIDENT_MAX_BYTES / MIB}`,
    },
  )
  if (failed.length > 0) {
    report.failures.push(`${name}: ${failed.length} of others' requests failed: ${failed[0]}`)
  }
  if (p99 > P99_MAX_MS) report.failures.push(`${name}: others waited ${p99.toFixed(0)} ms.`)
  if (peak > RESIDENT_MAX_BYTES)
    report.failures.push(`${name}: it took ${Math.round(peak / MIB)} MiB.`)
  if (server.output.some((line) => /"level":[56]0/.test(line))) {
    report.failures.push(`${name}: the server logged ${server.output.join('').slice(0, 600)}`)
    server.output.length = 0
  }
}

/** Files that stay open for a while are closed by then. */
async function settledFiles(server: ServerProcess) {
  await pause(8000)
  return countOpenFiles(server.pid)
}

async function compareFiles(
  server: ServerProcess,
  { before, failures }: { before: { files: number; sockets: number }; failures: string[] },
): Promise<Figure[]> {
  const after = await settledFiles(server)
  if (after.sockets > before.sockets) failures.push('Sockets were left open.')
  if (after.files > before.files) failures.push('Files were left open.')
  return [
    { what: 'sockets open afterwards', value: after.sockets, limit: `${before.sockets} before` },
    { what: 'files open afterwards', value: after.files, limit: `${before.files} before` },
  ]
}

async function tryBehindProxy(folder: string): Promise<string[]> {
  const env = { RATE_LIMIT_SCALE: '1', TRUSTED_PROXY: '127.0.0.3' }
  const server = await startServer({ dataFolder: join(folder, 'proxied'), env })
  try {
    return await tryLimits(server.port, 'proxied')
  } finally {
    await server.stop('SIGKILL')
  }
}
