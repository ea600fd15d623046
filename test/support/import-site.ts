import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, timestamp } from '#server/platform/db/database.ts'
import { migrateToLatest } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/open.ts'
import { runCommand } from './run-command.ts'

export type ImportSite = Awaited<ReturnType<typeof openImportSite>>

/** A migrated site with the member 'ann', whom 'fan' has subscribed to, and a folder for another program's library. */
export async function openImportSite() {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-library-'))
  const dataFolder = await mkdtemp(join(tmpdir(), 'clutch-import-'))
  const db = openDatabase(dataFolder)
  await migrateToLatest(db)
  await insertMembers(db)
  return {
    ...{ folder, dataFolder, db },

    run: (args: string[], env: Record<string, string> = {}) =>
      runCommand('import', {
        ...{ dataFolder, args },
        env: { PUBLIC_URL: 'https://clips.example.org', ...env },
      }),

    listVideos: () =>
      db
        .selectFrom('videos')
        .select(['title', 'description', 'category', 'tags', 'visibility'])
        .select(['viewCount', 'publishedAt'])
        .orderBy('id')
        .execute(),

    /** Names of what is in the folders of uploads, of media and of work. */
    async listLeft(): Promise<string[]> {
      const names = ['uploads', 'media', 'work'].map((name) =>
        readdir(join(dataFolder, name)).catch(() => []),
      )
      return (await Promise.all(names)).flat()
    },

    async remove(): Promise<void> {
      await db.destroy()
      for (const one of [folder, dataFolder]) {
        await rm(one, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}

async function insertMembers(db: Database): Promise<void> {
  const createdAt = timestamp()
  for (const username of ['ann', 'fan']) {
    const email = `${username}@example.org`
    const user = { username, email, password: '-', displayName: username, createdAt }
    await db.insertInto('users').values(user).execute()
  }
  const subscription = { subscriberId: 2, channelId: 1, subscribedAt: createdAt }
  await db.insertInto('subscriptions').values(subscription).execute()
}
