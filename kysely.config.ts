import { defineConfig } from 'kysely-ctl'
import { readConfig } from './src/server/config.ts'
import { openDatabase } from './src/server/db/database.ts'

export default defineConfig({
  kysely: openDatabase(readConfig().dataFolder),
  migrations: { migrationFolder: 'src/server/db/migrations' },
})
