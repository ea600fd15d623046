/** Before the tests on PostgreSQL: one server for all of their processes, unless `TEST_DATABASE_URL` names one. */
import { startPostgres } from './postgres-server.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined
  const { url, stop } = await startPostgres()
  process.env.TEST_DATABASE_URL = url
  return stop
}
