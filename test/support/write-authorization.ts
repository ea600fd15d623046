/** `npm run authorization`: writes docs/authorization.md again. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAuthorization } from './authorization-table.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'authorization.md')

await writeFile(DOCUMENT, writeAuthorization())
