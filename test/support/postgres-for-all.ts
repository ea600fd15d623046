/**
 * Before the tests on PostgreSQL: one server for all of their processes, unless `TEST_DATABASE_URL` names one, and one
 * migrated database on it that they copy.
 */
import { createTemplate, dropDatabase } from './postgres-databases.ts'
import { startPostgres } from './postgres-server.ts'

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_TEMPLATE) return undefined
  const server = process.env.TEST_DATABASE_URL ? undefined : await startPostgres()
  process.env.TEST_DATABASE_URL ??= server?.url
  const template = await createTemplate()
  process.env.TEST_DATABASE_TEMPLATE = template
  return async () => {
    await dropDatabase(template)
    await server?.stop()
  }
}
