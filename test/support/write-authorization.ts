/** `npm run authorization`: writes AUTHORIZATION.md anew. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeAuthorization } from './authorization-table.ts'

await writeFile(join(import.meta.dirname, '..', '..', 'AUTHORIZATION.md'), writeAuthorization())
