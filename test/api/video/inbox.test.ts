import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemory, runRound } from '#server/video/inbox/inbox-round.ts'
import { settleLostOriginals, settleOriginals } from '#server/video/inbox/originals.ts'
import { publishQueued } from '#server/video/inbox/publish-item.ts'
import type { InboxItem, InboxStatus } from '#shared/schemas/inbox.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const root = await mkdtemp(join(tmpdir(), 'clutch-inbox-'))
const inbox = join(root, 'clips')
const made = join(root, 'made')
const site = setUpTestSite({ inbox: { folders: [inbox], everySeconds: 10 } })
const { ask, refusal } = callsOf(site)

let admin: TestMember
let ann: TestMember
let memory = createMemory()
let rounds = 0

beforeAll(async () => {
  await mkdir(made, { recursive: true })
  admin = await site.addMember('admin', { isAdmin: true })
  ann = await site.addMember('ann')
  await makeClip({ path: join(made, 'one.mp4'), seconds: 1 })
  await makeClip({ path: join(made, 'two.mp4'), seconds: 2 })
  await makeClip({ path: join(made, 'other.mkv'), seconds: 1, container: 'matroska' })
})

beforeEach(async () => {
  await rm(inbox, { recursive: true, force: true })
  await mkdir(inbox, { recursive: true })
  await site.db.deleteFrom('inboxItems').execute()
  await site.db.deleteFrom('notifications').execute()
  await site.db.deleteFrom('videos').execute()
  const settings = {
    originals: 'copy',
    whenDeleted: 'keep',
    whenMissing: 'keep',
    rules: '[]',
    isPaused: 0,
  } as const
  await changeRows(site.db, 'inboxSettings', { where: { id: 1 }, values: settings })
  memory = createMemory()
})

afterAll(() => rm(root, { recursive: true, force: true }))

const deps = () => ({ ...site.deps, log: site.log })

async function look(times = 3): Promise<void> {
  for (let round = 0; round < times; round += 1) await runRound(deps(), memory)
  rounds += times
}

const publish = async () => {
  await publishQueued(deps())
  await settleOriginals(deps())
}

async function put(path: string, file: 'one.mp4' | 'two.mp4' | 'other.mkv' = 'one.mp4') {
  await mkdir(dirname(join(inbox, path)), { recursive: true })
  await copyFile(join(made, file), join(inbox, path))
}

/** Another content than every other file. */
async function putUnique(path: string): Promise<void> {
  await put(path)
  const free = Buffer.alloc(16)
  free.writeUInt32BE(16)
  free.write('free', 4)
  rounds += 1
  free.writeUInt32BE(rounds, 8)
  await appendFile(join(inbox, path), free)
}

const listOf = async (member: TestMember, show = 'open') =>
  (await ask<{ items: InboxItem[] }>(member, 'inbox.list', { show })).items

const videosOf = (member: TestMember) => listRows(site.db, 'videos', { userId: member.id })

describe('what comes in', () => {
  test('a recording is offered to the member whose name its folder has, with picture, game and time', async () => {
    await put('ann/Rust 2025.05.01 - 22.48.30.mp4')
    await look(2)
    expect(await listOf(ann)).toEqual([])
    await look(1)
    const [item, ...others] = await listOf(ann)
    expect(others).toEqual([])
    expect(item).toMatchObject({
      title: 'Rust, 1 May 2025, 22:48',
      category: 'Rust',
      game: 'Rust',
      duration: 1,
      state: 'new',
      recordedAt: new Date(2025, 4, 1, 22, 48).toISOString(),
    })
    const picture = await site.get(item?.pictureUrl ?? '', { as: ann })
    expect(picture.headers['content-type']).toBe('image/jpeg')
    expect(picture.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect((await site.get(item?.pictureUrl ?? '', { as: admin })).statusCode).toBe(404)
    const { items } = await ask<{ items: { title: string; message: string }[] }>(
      ann,
      'notification.browse',
      {},
    )
    expect(items).toMatchObject([
      { title: 'New recordings', message: '1 recording waits in your inbox.' },
    ])
    expect(await listOf(admin)).toEqual([])
  })

  test('a folder names the game, and files without a member belong to the first admin', async () => {
    await put('Rust/Replay.mp4')
    await look()
    expect(await listOf(admin)).toMatchObject([{ category: 'Rust', path: 'Rust/Replay.mp4' }])
  })

  test('a file that grows is left alone until it has settled', async () => {
    await put('clip.mp4')
    const path = join(inbox, 'grows.mkv')
    const bytes = await readFile(join(made, 'other.mkv'))
    await writeFile(path, bytes.subarray(0, 5000))
    for (let at = 5000; at < bytes.length; at += Math.ceil(bytes.length / 4)) {
      await look(1)
      await appendFile(path, bytes.subarray(at, at + Math.ceil(bytes.length / 4)))
    }
    expect((await listOf(admin)).map((item) => item.path)).toEqual(['clip.mp4'])
    await look()
    expect((await listOf(admin)).map((item) => item.path).sort()).toEqual(['clip.mp4', 'grows.mkv'])
    expect(await readFile(path)).toEqual(bytes)
  })

  test('damaged, empty and other files are noted once and hold up nothing', async () => {
    const clip = await readFile(join(made, 'two.mp4'))
    await writeFile(join(inbox, 'cut.mp4'), clip.subarray(0, clip.length - 500))
    await writeFile(join(inbox, 'empty.mp4'), '')
    await writeFile(join(inbox, 'notes.txt'), 'no video')
    await writeFile(join(inbox, 'zeros.mp4'), Buffer.alloc(50_000))
    await writeFile(join(inbox, 'half.mp4.part'), clip)
    await writeFile(join(inbox, 'closed.mp4'), clip)
    await symlink(join(made, 'one.mp4'), join(inbox, 'link.mp4'))
    await symlink(made, join(inbox, 'linked'))
    await put('good.mp4')
    await look()
    expect((await listOf(admin)).map((item) => item.path).sort()).toEqual([
      'closed.mp4',
      'good.mp4',
    ])
    const { items } = await ask<{ items: { path: string; problem: string }[] }>(
      admin,
      'inbox.unusable',
      {},
    )
    const problems = Object.fromEntries(items.map(({ path, problem }) => [path, problem]))
    expect(problems).toMatchObject({
      'cut.mp4': 'The file ends before its video does. It may still be being copied.',
      'empty.mp4': 'The file is empty.',
    })
    expect(Object.keys(problems).sort()).toEqual(['cut.mp4', 'empty.mp4', 'notes.txt', 'zeros.mp4'])
    const before = await listRows(site.db, 'inboxItems')
    await look(4)
    expect(await listRows(site.db, 'inboxItems')).toEqual(before)
    await writeFile(join(inbox, 'cut.mp4'), clip.subarray(0, clip.length - 500))
    await appendFile(join(inbox, 'cut.mp4'), clip.subarray(clip.length - 500))
    await look()
    expect((await listOf(admin)).map((item) => item.path)).toContain('cut.mp4')
  })

  test('two files of one content are one recording and its duplicate', async () => {
    await ask(admin, 'inbox.saveSettings', {
      rules: [
        {
          folder: '',
          username: null,
          category: null,
          visibility: null,
          squadId: null,
          publishes: true,
        },
      ],
    })
    await put('a.mp4')
    await put('b.mp4')
    await look()
    await publish()
    expect(await videosOf(admin)).toHaveLength(1)
    const [item] = await listOf(admin)
    expect(item?.duplicateOf).not.toBeNull()
  })

  test('a renamed file keeps its item, and a folder that was away comes back as it was', async () => {
    await putUnique('first.mp4')
    await look()
    const [item] = await listOf(admin)
    await rename(join(inbox, 'first.mp4'), join(inbox, 'second.mp4'))
    await look()
    expect(await listOf(admin)).toMatchObject([{ id: item?.id, path: 'second.mp4' }])
    await rename(inbox, `${inbox}-away`)
    await look()
    const away = await ask<InboxStatus>(admin, 'inbox.status')
    expect(away.folders).toMatchObject([{ problem: 'The folder is not there.' }])
    expect(await listOf(admin)).toMatchObject([{ id: item?.id, isMissing: false }])
    await mkdir(inbox)
    await look()
    expect(await listOf(admin)).toMatchObject([{ id: item?.id, isMissing: true }])
    await rm(inbox, { recursive: true })
    await rename(`${inbox}-away`, inbox)
    await look()
    expect(await listOf(admin)).toMatchObject([{ id: item?.id, isMissing: false }])
  })
})

describe('publishing', () => {
  test('a published file becomes a video once, and the original stays byte for byte', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const path = join(inbox, 'ann/clip.mp4')
    const before = { bytes: await readFile(path), mtime: (await stat(path)).mtimeMs }
    const [item] = await listOf(ann)
    const items = [{ id: item?.id, title: 'The last stand' }]
    expect(await refusal(admin, 'inbox.publish', { items })).toMatch(/^404/)
    await ask(ann, 'inbox.publish', { items, category: 'CS2', visibility: 'members' })
    await publish()
    await look(4)
    await publish()
    expect(await videosOf(ann)).toMatchObject([
      { title: 'The last stand', category: 'CS2', visibility: 'members' },
    ])
    expect(await listOf(ann)).toEqual([])
    expect({ bytes: await readFile(path), mtime: (await stat(path)).mtimeMs }).toEqual(before)
    expect(await listRows(site.db, 'inboxPictures')).toEqual([])
  })

  test('a dismissed recording is not offered again, unless it is restored', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(ann)
    await ask(ann, 'inbox.dismiss', { ids: [item?.id] })
    await look()
    expect(await listOf(ann)).toEqual([])
    expect(await listOf(ann, 'dismissed')).toMatchObject([{ id: item?.id }])
    await ask(ann, 'inbox.restore', { ids: [item?.id] })
    expect(await listOf(ann)).toMatchObject([{ id: item?.id, state: 'new' }])
  })

  test('a rule sets category and visibility and publishes by itself', async () => {
    const rule = { username: 'ann', squadId: null, publishes: true }
    await ask(admin, 'inbox.saveSettings', {
      rules: [{ ...rule, folder: 'Matches', category: 'Tarkov', visibility: 'members' }],
    })
    await putUnique('pc/matches/clip.mp4')
    await putUnique('pc/clip.mp4')
    await look()
    await publish()
    expect(await videosOf(ann)).toMatchObject([{ category: 'Tarkov', visibility: 'members' }])
    expect(await listOf(admin)).toMatchObject([{ path: 'pc/clip.mp4' }])
  })

  test('a file that changed before it was published is examined again', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(ann)
    await ask(ann, 'inbox.publish', { items: [{ id: item?.id }] })
    await put('ann/clip.mp4', 'two.mp4')
    await publish()
    expect(await videosOf(ann)).toEqual([])
    await look()
    expect(await listOf(ann)).toMatchObject([{ state: 'new', duration: 2 }])
  })

  test('over the quota the recording says so and stays', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    await changeRows(site.db, 'users', { where: { id: ann.id }, values: { quotaBytes: 1000 } })
    const [item] = await listOf(ann)
    await ask(ann, 'inbox.publish', { items: [{ id: item?.id }] })
    await publish()
    await changeRows(site.db, 'users', { where: { id: ann.id }, values: { quotaBytes: null } })
    const [refused] = await listOf(ann)
    expect(refused).toMatchObject({
      state: 'new',
      problem: expect.stringMatching(/storage|quota/i),
    })
  })

  test('moved originals go once the video plays; those of deleted videos by setting', async () => {
    await ask(admin, 'inbox.saveSettings', { originals: 'move' })
    await putUnique('ann/moved.mp4')
    await look()
    const [moved] = await listOf(ann)
    await ask(ann, 'inbox.publish', { items: [{ id: moved?.id }] })
    await publish()
    const isThere = (path: string) =>
      stat(join(inbox, path)).then(
        () => true,
        () => false,
      )
    expect(await isThere('ann/moved.mp4')).toBe(false)
    expect(await videosOf(ann)).toMatchObject([{ processingState: 'ready' }])

    await ask(admin, 'inbox.saveSettings', { originals: 'copy', whenDeleted: 'delete' })
    await putUnique('ann/copied.mp4')
    await look()
    const [copied] = await listOf(ann)
    await ask(ann, 'inbox.publish', { items: [{ id: copied?.id }] })
    await publish()
    expect(await isThere('ann/copied.mp4')).toBe(true)
    const { videoId } = await readRow(site.db, 'inboxItems', { path: 'ann/copied.mp4' })
    await site.db
      .deleteFrom('videos')
      .where('id', '=', videoId ?? 0)
      .execute()
    await publish()
    expect(await isThere('ann/copied.mp4')).toBe(false)
  })

  test('an admin stops and resumes the inbox', async () => {
    await putUnique('ann/clip.mp4')
    await ask(admin, 'inbox.pause', { isPaused: true })
    await look()
    expect(await listOf(ann)).toEqual([])
    await ask(admin, 'inbox.pause', { isPaused: false })
    await look()
    expect(await listOf(ann)).toHaveLength(1)
    expect(await ask<InboxStatus>(admin, 'inbox.status')).toMatchObject({
      offered: 1,
      isPaused: false,
      problem: null,
    })
  })
})

test('a file that the site may not read is examined again once it may', async (context) => {
  if (process.getuid?.() === 0) return context.skip()
  await putUnique('ann/clip.mp4')
  const path = join(inbox, 'ann/clip.mp4')
  await chmod(path, 0)
  await look()
  expect(await listOf(ann)).toEqual([])
  await chmod(path, 0o644)
  await look()
  expect(await listOf(ann)).toHaveLength(1)
})
