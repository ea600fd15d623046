import type { Database } from '#server/platform/db/database.ts'
import type { Setup, SetupStep } from '#shared/schemas/desk/setup.schemas.ts'

type Marks = Partial<Record<SetupStep, 'done' | 'skipped'>>

export async function findSetupMarks(db: Database): Promise<Marks> {
  const { setupSteps } = await db
    .selectFrom('siteSettings')
    .select('setupSteps')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return JSON.parse(setupSteps) as Marks
}

export async function updateSetupMarks(db: Database, marks: Marks): Promise<void> {
  const setupSteps = JSON.stringify(marks)
  await db.updateTable('siteSettings').set({ setupSteps }).where('id', '=', 1).execute()
}

export async function findFirstVideo(db: Database): Promise<Setup['firstVideo']> {
  const video = await db
    .selectFrom('videos')
    .select(['id', 'title'])
    .where('processingState', '<>', 'deleting')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return video ?? null
}
