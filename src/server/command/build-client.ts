import { createHash } from 'node:crypto'
import { glob, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const DIST = join(ROOT, 'dist')
const STAMP = join(DIST, '.built-from')
const INPUTS = [
  'src/client/**/*',
  'src/shared/**/*',
  'public/**/*',
  'vite.config.ts',
  'package-lock.json',
  'src/tools/licences/*',
]
const LICENCES = '.vite/licences.json'
const LICENCES_OF_EMBED = '.vite/licences-embed.json'
const SMALLEST_COMPRESSED_BYTES = 256

const built = await readFile(STAMP, 'utf8').catch(() => '')
const wanted = await hashInputs()
if (built !== wanted) {
  process.stdout.write('Building the pages …\n')
  const { build } = await import('vite')
  const options = { configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' } as const
  await build({ ...options, build: { license: { fileName: LICENCES } } })
  // Visitors of other sites load nothing else.
  const input = join(ROOT, 'src', 'client', 'embed.html')
  await build({
    ...options,
    build: {
      rolldownOptions: { input },
      emptyOutDir: false,
      manifest: false,
      license: { fileName: LICENCES_OF_EMBED },
      copyPublicDir: false,
    },
  })
  const { writeLicences } = await import('#tools/licences/write-licences.ts')
  await writeLicences({ root: ROOT, dist: DIST, bundled: [LICENCES, LICENCES_OF_EMBED] })
  await compress()
  await writeFile(STAMP, wanted)
}

async function hashInputs(): Promise<string> {
  const hash = createHash('sha256')
  const paths = await Array.fromAsync(glob(INPUTS, { cwd: ROOT, withFileTypes: true }))
  const files = paths
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  for (const file of files.sort()) hash.update(file.slice(ROOT.length)).update(await readFile(file))
  return hash.digest('hex')
}

async function compress(): Promise<void> {
  const texts = glob('**/*.{js,css,html,svg,json,webmanifest,txt}', { cwd: DIST })
  for await (const name of texts) {
    const path = join(DIST, name)
    const bytes = await readFile(path)
    if (bytes.length < SMALLEST_COMPRESSED_BYTES) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  }
}
