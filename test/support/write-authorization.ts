/** `npm run authorization`: writes the table of calls and roles to test/artifacts/authorization.md. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAuthorization } from './authorization-table.ts'

const TABLE = join(import.meta.dirname, '..', 'artifacts', 'authorization.md')

await mkdir(dirname(TABLE), { recursive: true })
await writeFile(TABLE, writeAuthorization())
process.stdout.write(`${TABLE}\n`)
