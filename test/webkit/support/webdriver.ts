import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { findFreePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'

export const DRIVER = 'WebKitWebDriver'

const WINDOW = { width: 1440, height: 900 }
const SCRIPT_MS = 60_000
/** As WebDriver names the one field of an element. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

export type WebKitPage = Awaited<ReturnType<typeof openWebKit>>

/** Opens WebKitGTK's own small browser, on a screen that nobody sees where there is none. */
export async function openWebKit() {
  const screen = process.env.DISPLAY ? undefined : await startScreen()
  const port = await findFreePort()
  const driver = spawn(DRIVER, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: screen?.display ?? process.env.DISPLAY },
    stdio: 'ignore',
  })
  const call = (method: string, path: string, body?: object) =>
    callDriver(`http://127.0.0.1:${port}${path}`, { method, body })
  const isReady = () => call('GET', '/status').then(Boolean, () => false)
  await until(isReady, { timeoutMs: 30_000 })
  const capabilities = {
    alwaysMatch: {
      'webkitgtk:browserOptions': { args: ['--automation'] },
      timeouts: { script: SCRIPT_MS },
    },
  }
  const { sessionId } = (await call('POST', '/session', { capabilities })) as { sessionId: string }
  const session = `/session/${sessionId}`
  await call('POST', `${session}/window/rect`, WINDOW)
  const element = async (selector: string) => {
    const query = { using: 'css selector', value: selector }
    const found = await call('POST', `${session}/element`, query)
    return `${session}/element/${(found as { [ELEMENT]: string })[ELEMENT]}`
  }
  return {
    goto: (url: string) => call('POST', `${session}/url`, { url }),
    back: () => call('POST', `${session}/back`, {}),
    reload: () => call('POST', `${session}/refresh`, {}),
    click: async (selector: string) => call('POST', `${await element(selector)}/click`, {}),
    /** Types into a field, or chooses the file of this path. */
    type: async (selector: string, text: string) =>
      call('POST', `${await element(selector)}/value`, { text }),
    /** Runs a function in the page, which knows nothing but its arguments. */
    run: <Args extends unknown[], Result>(act: (...args: Args) => Result, ...args: Args) =>
      call('POST', `${session}/execute/sync`, {
        script: `return (${act})(...arguments)`,
        args,
      }) as Promise<Result>,
    async close(): Promise<void> {
      await call('DELETE', session).catch(() => undefined)
      await end(driver)
      if (screen) await end(screen.process)
    },
  }
}

async function callDriver(
  url: string,
  { method, body }: { method: string; body: object | undefined },
): Promise<unknown> {
  const answer = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await answer.json()) as { value: unknown }
  if (!answer.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`)
  return value
}

async function startScreen(): Promise<{ process: ChildProcess; display: string }> {
  const { width, height } = WINDOW
  const process = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', `${width}x${height}x24`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = await once(process.stdout, 'data')
  return { process, display: `:${String(number).trim()}` }
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const exited = once(process, 'exit')
  process.kill()
  await exited
}
