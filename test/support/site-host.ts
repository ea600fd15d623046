/** Serves one site after the other on one port, so that the server's program is loaded and compiled once for many. */
import { join } from 'node:path'
import { renewSetupCode } from '#server/account/auth/setup-code.ts'
import { startDataExports } from '#server/desk/account-data/make-data-export.ts'
import { startIndexing } from '#server/discovery/search/index-upkeep.service.ts'
import { startJanitor } from '#server/janitor.ts'
import { longWorks } from '#server/long-works.ts'
import { readConfig } from '#server/platform/config.ts'
import { listen } from '#server/platform/http/connection/listeners.ts'
import { startLongWork } from '#server/platform/long-work/long-work.service.ts'
import { startFetches } from '#server/video/fetch/start-fetches.ts'
import { startInbox } from '#server/video/inbox/start-inbox.ts'
import { openTestSite } from './test-site.ts'

const CLIENT_FOLDER = join(import.meta.dirname, '..', '..', 'dist')

export type HostRequest = { kind: 'open'; env: Record<string, string> } | { kind: 'close' }
export type HostAnswer = { setupCode?: string; error?: string }

let close = async () => {}

async function open(env: Record<string, string>): Promise<HostAnswer> {
  const config = readConfig(env)
  const site = await openTestSite(config, { clientFolder: CLIENT_FOLDER })
  const setupCode = await renewSetupCode(site.db)
  const { app, deps, log } = site
  const listeners = await listen(app, config)
  await deps.jobs.start()
  const stopJanitor = startJanitor({ ...deps, log })
  const stopIndexing = startIndexing({ ...deps, log })
  const stopLongWork = startLongWork({ ...deps, log }, longWorks)
  const stopDataExports = startDataExports({ ...deps, log })
  const stopFetches = startFetches({ ...deps, log })
  const stopInbox = startInbox({ ...deps, log })
  const stopMailing = deps.mail?.start()
  close = async () => {
    close = async () => {}
    site.stopWork()
    const ended = [
      app.close(),
      listeners.close(),
      stopJanitor(),
      stopIndexing(),
      stopLongWork(),
      stopDataExports(),
      stopFetches(),
      stopInbox(),
    ]
    if (stopMailing) ended.push(stopMailing())
    app.server.closeAllConnections()
    await Promise.all(ended)
    await site.close()
  }
  return { setupCode }
}

async function answer(request: HostRequest): Promise<HostAnswer> {
  await close()
  return request.kind === 'open' ? open(request.env) : {}
}

process.on('message', (request: HostRequest) => {
  answer(request)
    .catch((error: Error): HostAnswer => ({ error: error.stack ?? error.message }))
    .then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())
