import { appendFile, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createMemory, runRound } from '#server/video/inbox/inbox-round.ts'
import { settleLostOriginals, settleOriginals } from '#server/video/inbox/originals.ts'
import { publishQueued } from '#server/video/inbox/publish-item.ts'
import type { InboxItem, InboxRule } from '#shared/schemas/inbox.schemas.ts'
import { makeClip } from './clips.ts'
import { callsOf } from './procedure-call.ts'
import { changeRows, listRows } from './rows.ts'
import { setUpTestSite } from './set-up-test-site.ts'
import type { TestMember } from './test-site.ts'

/** Clips by name. The last one must be transcoded. */
const CLIPS = {
  'one.mp4': { seconds: 1 },
  'two.mp4': { seconds: 2 },
  'other.mkv': { seconds: 1, container: 'matroska' },
  'old.avi': { seconds: 1, container: 'avi', videoCodec: 'mpeg4', audioCodec: 'mp3' },
} as const
type Clip = keyof typeof CLIPS

export const PUBLISH_ALL: InboxRule = {
  ...{ folder: '', username: null, category: null, visibility: null, squadId: null },
  publishes: true,
}

/** A site with an admin, the member 'ann', and a folder that is empty before each test. */
export async function setUpInbox() {
  const root = await mkdtemp(join(tmpdir(), 'clutch-inbox-'))
  const folder = join(root, 'clips')
  const made = join(root, 'made')
  const site = setUpTestSite({ inbox: { folders: [folder], everySeconds: 10 } })
  const calls = callsOf(site)
  const members = {} as { admin: TestMember; ann: TestMember }
  let memory = createMemory()
  let files = 0

  beforeAll(async () => {
    await mkdir(made, { recursive: true })
    members.admin = await site.addMember('admin', { isAdmin: true })
    members.ann = await site.addMember('ann')
    for (const [name, clip] of Object.entries(CLIPS)) {
      await makeClip({ path: join(made, name), ...clip })
    }
  })

  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await site.db.deleteFrom('inboxItems').execute()
    await site.db.deleteFrom('notifications').execute()
    await site.db.deleteFrom('videos').execute()
    const settings = { originals: 'copy', whenDeleted: 'keep', whenMissing: 'keep' } as const
    const values = { ...settings, rules: '[]', isPaused: 0 } as const
    await changeRows(site.db, 'inboxSettings', { where: { id: 1 }, values })
    memory = createMemory()
  })

  afterAll(() => rm(root, { recursive: true, force: true }))

  const deps = () => ({ ...site.deps, log: site.log })
  const put = async (path: string, clip: Clip = 'one.mp4') => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await copyFile(join(made, clip), join(folder, path))
  }
  return {
    ...{ site, folder, members, put, deps, ...calls },
    clip: (name: Clip) => join(made, name),
    at: (path: string) => join(folder, path),
    memory: () => memory,
    restart: () => {
      memory = createMemory()
    },

    async look(times = 3): Promise<void> {
      for (let round = 0; round < times; round += 1) await runRound(deps(), memory)
    },

    async publish(): Promise<void> {
      await publishQueued(deps())
      await settleOriginals(deps())
      await settleLostOriginals(deps(), memory)
    },

    /** Writes a file whose content differs from every other file. */
    async putUnique(path: string, clip: Clip = 'one.mp4'): Promise<void> {
      await put(path, clip)
      const free = Buffer.alloc(16)
      free.writeUInt32BE(16)
      free.write('free', 4)
      files += 1
      free.writeUInt32BE(files, 8)
      await appendFile(join(folder, path), free)
    },

    listOf: async (member: TestMember, show = 'open') =>
      (await calls.ask<{ items: InboxItem[] }>(member, 'inbox.list', { show, limit: 100 })).items,

    videosOf: (member: TestMember) => listRows(site.db, 'videos', { userId: member.id }),
  }
}
