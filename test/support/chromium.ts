import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const PACKAGE = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
const BINARIES = join(PACKAGE, '..', 'bin')
const UNPACKED = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'chromium-153')
const ARCHIVES = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br']

// The package's own names the fixed places of the cloud it was made for.
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(UNPACKED, 'fonts')}</dir>
  <cachedir>${join(UNPACKED, 'font-cache')}</cachedir>
</fontconfig>
`

/** How to start the browser that came with the test dependencies. */
type BrowserLaunch = {
  executablePath?: string
  channel?: 'chrome'
  env?: Record<string, string>
}

/** Unpacks the browser once; on other machines than Linux x64 an installed Chrome is used. */
export async function unpackChromium(): Promise<BrowserLaunch> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' }
  if (!existsSync(UNPACKED)) await unpack()
  return {
    executablePath: join(UNPACKED, 'chromium'),
    env: {
      LD_LIBRARY_PATH: `${join(UNPACKED, 'al2023', 'lib')}:${UNPACKED}`,
      FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf'),
      HOME: UNPACKED,
    },
  }
}

async function unpack(): Promise<void> {
  const { inflate } = await import('@sparticuz/chromium')
  const half = `${UNPACKED}.${process.pid}`
  await mkdir(half, { recursive: true })
  const { TMPDIR } = process.env
  process.env.TMPDIR = half
  try {
    for (const archive of ARCHIVES) await inflate(join(BINARIES, archive))
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  await writeFile(join(half, 'fonts.conf'), FONT_CONFIGURATION)
  await rename(half, UNPACKED).catch(() => rm(half, { recursive: true, force: true }))
}
