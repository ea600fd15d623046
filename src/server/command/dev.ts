import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createServer } from 'vite'
import { childEnvironment } from '../platform/config.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const main = join(ROOT, 'src', 'server', 'main.ts')
const vite = await createServer({ configFile: join(ROOT, 'vite.config.ts') })
await vite.listen()
vite.printUrls()
const pages = vite.resolvedUrls?.local[0]
const env = childEnvironment(pages ? { PUBLIC_URL: new URL(pages).origin } : {})
const server = spawn(process.execPath, ['--watch', main], { stdio: 'inherit', env })

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    server.kill(signal)
    await vite.close()
    process.exit(0)
  })
}
