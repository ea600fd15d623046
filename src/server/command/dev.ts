/** The server with reload, and Vite with hot modules in front of it. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const main = join(ROOT, 'src', 'server', 'main.ts')
const server = spawn(process.execPath, ['--watch', main], { stdio: 'inherit' })
const vite = await createServer({ configFile: join(ROOT, 'vite.config.ts') })
await vite.listen()
vite.printUrls()

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    server.kill(signal)
    await vite.close()
    process.exit(0)
  })
}
