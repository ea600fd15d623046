import { createSessionStore, startSession } from '#server/account/auth/lucia.ts'
import type { ServerProcess } from '#test/support/server-process.ts'
import { addMember, addVideos, writeRows } from '#test/support/site-rows.ts'
import { storeFiles, withStoreOf } from '#test/support/stored-files.ts'
import type { Target } from './scenes.ts'

const KEY = 'a'.repeat(32)

/** Gives a site a member who is signed in and a public video of so many bytes, all of them empty. */
export async function makeTarget(server: ServerProcess, largeBytes: number): Promise<Target> {
  const largeFile = `/media/${KEY}/video.mp4`
  await withStoreOf(server, (site) =>
    storeFiles(site, KEY, { 'video.mp4': Buffer.alloc(largeBytes) }),
  )
  const token = await writeRows(server, async (db) => {
    const userId = await addMember(db, 'Ann')
    await addVideos(db, [{ userId, title: 'A long one', mediaKey: KEY, videoUrl: largeFile }])
    const session = { userId, rememberMe: false, userAgent: null }
    return startSession(createSessionStore(db), session)
  })
  return { port: server.port, largeFile, largeBytes, member: `Cookie: clutch=${token}\r\n` }
}
