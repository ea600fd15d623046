import { defineConfig } from 'kysely-ctl'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase } from '#server/platform/db/open.ts'

export default defineConfig({
  kysely: openDatabase(readConfig().dataFolder),
  migrations: { migrationFolder: 'src/server/platform/db/sqlite/migrations' },
})
