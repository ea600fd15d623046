import { openSqlite } from '#server/platform/db/sqlite/open.ts'
import { runCommand } from '#test/support/run-command.ts'
import { listWrongCounts } from './support/wrong-counts.ts'

/** @returns what the database's own check, its counts and the doctor find wrong with a site, a sentence each */
export async function checkSiteWhole(
  dataFolder: string,
  env: Record<string, string> = {},
): Promise<string[]> {
  const integrity = env.DATABASE_URL ? [] : checkFile(`${dataFolder}/clutch.db`)
  const doctor = await runCommand('doctor', { dataFolder, env })
  return [
    ...integrity.map((text) => `integrity_check: ${text}`),
    ...(await listWrongCounts(dataFolder, env)),
    ...(doctor.code === 0 ? [] : [`doctor: ${doctor.out.trim()} ${doctor.err.trim()}`]),
  ]
}

function checkFile(path: string): string[] {
  const database = openSqlite(path)
  const rows = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
  database.close()
  return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
}
