/** Before the tests of a project: one PostgreSQL server for all of its processes, where their sites are on one. */
import { startPostgres } from './postgres-server.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE !== 'postgres' || process.env.TEST_DATABASE_URL) return undefined
  const { url, stop } = await startPostgres()
  process.env.TEST_DATABASE_URL = url
  return stop
}
