import {
  appendFile,
  chmod,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { InboxItemRow } from '#server/platform/db/tables/inbox.ts'
import { forgetMissing } from '#server/video/inbox/originals.ts'
import { publishQueued } from '#server/video/inbox/publish-item.ts'
import { openUpload } from '#server/video/upload/upload.service.ts'
import type { InboxStatus } from '#shared/schemas/inbox.schemas.ts'
import { longTest } from '#test/support/long-form.ts'
import { changeRows, listRows, readRow } from '#test/support/rows.ts'
import { PUBLISH_ALL, setUpInbox } from '#test/support/set-up-inbox.ts'

const inbox = await setUpInbox()
const { site, folder, members, put, putUnique, look, publish, listOf, videosOf, at } = inbox
const { ask, refusal } = inbox

/** Makes every read through a file handle fail, as on a disconnected share. */
async function whileUnreadable(work: () => Promise<void>): Promise<void> {
  const file = await open(inbox.clip('one.mp4'))
  await file.close()
  const handles = Object.getPrototypeOf(file) as { read: unknown }
  const { read } = handles
  handles.read = async () => {
    throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
  }
  try {
    await work()
  } finally {
    handles.read = read
  }
}

describe('what comes in', () => {
  test('a recording is offered to the member whose name its folder has, with picture, game and time', async () => {
    await put('ann/Rust 2025.05.01 - 22.48.30.mp4')
    await look(2)
    expect(await listOf(members.ann)).toEqual([])
    await look(1)
    const [item, ...others] = await listOf(members.ann)
    expect(others).toEqual([])
    expect(item).toMatchObject({
      title: 'Rust, 1 May 2025, 22:48',
      category: 'Rust',
      game: 'Rust',
      duration: 1,
      state: 'new',
      recordedAt: new Date(2025, 4, 1, 22, 48).toISOString(),
    })
    const picture = await site.get(item?.pictureUrl ?? '', { as: members.ann })
    expect(picture.headers['content-type']).toBe('image/jpeg')
    expect(picture.rawPayload.subarray(0, 2).toString('hex')).toBe('ffd8')
    expect((await site.get(item?.pictureUrl ?? '', { as: members.admin })).statusCode).toBe(404)
    const { items } = await ask<{ items: { title: string; message: string }[] }>(
      members.ann,
      'notification.browse',
      {},
    )
    expect(items).toMatchObject([
      { title: 'New recordings', message: '1 recording waits in your inbox.' },
    ])
    expect(await listOf(members.admin)).toEqual([])
  })

  test('a folder names the game, and files without a member belong to the first admin', async () => {
    await put('Rust/Replay.mp4')
    await look()
    expect(await listOf(members.admin)).toMatchObject([
      { category: 'Rust', path: 'Rust/Replay.mp4' },
    ])
  })

  test('a file that grows is left alone until it has settled', async () => {
    await put('clip.mp4')
    const path = at('grows.mkv')
    const bytes = await readFile(inbox.clip('other.mkv'))
    await writeFile(path, bytes.subarray(0, 5000))
    for (let at = 5000; at < bytes.length; at += Math.ceil(bytes.length / 4)) {
      await look(1)
      await appendFile(path, bytes.subarray(at, at + Math.ceil(bytes.length / 4)))
    }
    expect((await listOf(members.admin)).map((item) => item.path)).toEqual(['clip.mp4'])
    await look()
    expect((await listOf(members.admin)).map((item) => item.path).sort()).toEqual([
      'clip.mp4',
      'grows.mkv',
    ])
    expect(await readFile(path)).toEqual(bytes)
  })

  test('a file whose name is not UTF-8 is noted once', async () => {
    await put('good.mp4')
    const name = Buffer.concat([Buffer.from(at('caf')), Buffer.from([0xe9]), Buffer.from('.mp4')])
    await writeFile(name, await readFile(inbox.clip('two.mp4')))
    await look()
    const unusable = () => ask<{ items: object[] }>(members.admin, 'inbox.unusable', {})
    expect((await unusable()).items).toMatchObject([
      {
        path: 'caf\ufffd.mp4',
        problem: 'Its name is not UTF-8. Give the file another name.',
      },
    ])
    const before = await listRows(site.db, 'inboxItems')
    expect(before).toHaveLength(2)
    await look(4)
    expect(await listRows(site.db, 'inboxItems')).toEqual(before)
    await rename(name, at('cafe.mp4'))
    await look()
    expect((await listOf(members.admin)).map(({ path }) => path).sort()).toEqual([
      ...['cafe.mp4', 'good.mp4'],
    ])
  })

  test('damaged, empty and other files are noted once and hold up nothing', async () => {
    const clip = await readFile(inbox.clip('two.mp4'))
    await writeFile(at('cut.mp4'), clip.subarray(0, clip.length - 500))
    await writeFile(at('empty.mp4'), '')
    await writeFile(at('notes.txt'), 'no video')
    await writeFile(at('zeros.mp4'), Buffer.alloc(50_000))
    await writeFile(at('half.mp4.part'), clip)
    await writeFile(at('closed.mp4'), clip)
    await symlink(inbox.clip('one.mp4'), at('link.mp4'))
    await symlink(dirname(inbox.clip('one.mp4')), at('linked'))
    await put('good.mp4')
    await look()
    expect((await listOf(members.admin)).map((item) => item.path).sort()).toEqual([
      'closed.mp4',
      'good.mp4',
    ])
    const { items } = await ask<{ items: { path: string; problem: string }[] }>(
      members.admin,
      'inbox.unusable',
      {},
    )
    const problems = Object.fromEntries(items.map(({ path, problem }) => [path, problem]))
    expect(problems).toMatchObject({
      'cut.mp4': 'The file ends before its video does. It may still be being copied.',
      'empty.mp4': 'The file is empty.',
    })
    expect(Object.keys(problems).sort()).toEqual(['cut.mp4', 'empty.mp4', 'notes.txt', 'zeros.mp4'])
    expect(await listOf(members.admin, 'unusable')).toHaveLength(4)
    const before = await listRows(site.db, 'inboxItems')
    await look(4)
    expect(await listRows(site.db, 'inboxItems')).toEqual(before)
    await writeFile(at('cut.mp4'), clip.subarray(0, clip.length - 500))
    await appendFile(at('cut.mp4'), clip.subarray(clip.length - 500))
    await look()
    expect((await listOf(members.admin)).map((item) => item.path)).toContain('cut.mp4')
  })

  test('two files of one content are one recording and its duplicate', async () => {
    await ask(members.admin, 'inbox.saveSettings', {
      rules: [PUBLISH_ALL],
    })
    await put('ann/a.mp4')
    await put('ann/b.mp4')
    await look()
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(1)
    const [item] = await listOf(members.ann)
    expect(item?.duplicateOf).not.toBeNull()
  })

  test('a file whose whole size was reserved first is not complete while it ends in zeros', async () => {
    const bytes = await readFile(inbox.clip('one.mp4'))
    const head = Buffer.alloc(16)
    head.writeUInt32BE(50_000)
    head.write('mdat', 4)
    const path = at('reserved.mp4')
    await writeFile(path, Buffer.concat([bytes, head, Buffer.alloc(49_984)]))
    await look()
    expect(await listOf(members.admin)).toEqual([])
    const file = await open(path, 'r+')
    await file.write(Buffer.alloc(20_000, 1), 0, 20_000, bytes.length + 16 + 29_984)
    await file.close()
    await look()
    expect(await listOf(members.admin)).toMatchObject([{ path: 'reserved.mp4' }])
  })

  test('a renamed file keeps its item, and a folder that was away comes back as it was', async () => {
    await putUnique('first.mp4')
    await look()
    const [item] = await listOf(members.admin)
    await rename(at('first.mp4'), at('second.mp4'))
    await look()
    expect(await listOf(members.admin)).toMatchObject([{ id: item?.id, path: 'second.mp4' }])
    await rename(folder, `${folder}-away`)
    await look()
    const away = await ask<InboxStatus>(members.admin, 'inbox.status')
    expect(away.folders).toMatchObject([{ problem: 'The folder is not there.' }])
    expect(await listOf(members.admin)).toMatchObject([{ id: item?.id, isMissing: false }])
    await mkdir(folder)
    await look()
    expect(await listOf(members.admin)).toMatchObject([{ id: item?.id, isMissing: true }])
    await rm(folder, { recursive: true })
    await rename(`${folder}-away`, folder)
    await look()
    expect(await listOf(members.admin)).toMatchObject([{ id: item?.id, isMissing: false }])
  })
})

describe('publishing', () => {
  test('a published file becomes a video once, and the original stays byte for byte', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const path = at('ann/clip.mp4')
    const before = { bytes: await readFile(path), mtime: (await stat(path)).mtimeMs }
    const [item] = await listOf(members.ann)
    const items = [{ id: item?.id, title: 'The last stand' }]
    expect(await refusal(members.admin, 'inbox.publish', { items })).toMatch(/^404/)
    await ask(members.ann, 'inbox.publish', { items, category: 'CS2', visibility: 'members' })
    await publish()
    await look(4)
    await publish()
    expect(await videosOf(members.ann)).toMatchObject([
      { title: 'The last stand', category: 'CS2', visibility: 'members' },
    ])
    expect(await listOf(members.ann)).toEqual([])
    expect({ bytes: await readFile(path), mtime: (await stat(path)).mtimeMs }).toEqual(before)
    expect(await listRows(site.db, 'inboxPictures')).toEqual([])
  })

  test('a file that is renamed before it is read is published once', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(members.ann)
    await ask(members.ann, 'inbox.publish', { items: [{ id: item?.id, title: 'Renamed' }] })
    await rename(at('ann/clip.mp4'), at('ann/other.mp4'))
    await publish()
    expect(await videosOf(members.ann)).toEqual([])
    await look()
    await publish()
    expect(await videosOf(members.ann)).toMatchObject([{ title: 'Renamed' }])
    expect(await listRows(site.db, 'inboxItems')).toMatchObject([{ path: 'ann/other.mp4' }])
  })

  longTest('nodes that publish at once, for want of a lock, make one video of each', async () => {
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
    for (const name of ['first', 'fourth', 'second', 'third']) await putUnique(`ann/${name}.mp4`)
    await look()
    const nodes = [1, 2, 3]
    await Promise.allSettled(nodes.map(() => publishQueued(inbox.deps())))
    await publish()
    const titles = (await videosOf(members.ann)).map(({ title }) => title)
    expect(titles.sort()).toEqual(['first', 'fourth', 'second', 'third'])
    expect(await listOf(members.ann)).toEqual([])
  })

  test('the recordings of a deleted account are offered to the first admin', async () => {
    const bob = await site.addMember('bob')
    await putUnique('bob/clip.mp4')
    await look()
    expect(await listOf(bob)).toHaveLength(1)
    await site.db.deleteFrom('users').where('id', '=', bob.id).execute()
    await look()
    expect(await listOf(members.admin)).toMatchObject([{ path: 'bob/clip.mp4' }])
  })

  test('a dismissed recording is not offered again, unless it is restored', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(members.ann)
    await ask(members.ann, 'inbox.dismiss', { ids: [item?.id] })
    await look()
    expect(await listOf(members.ann)).toEqual([])
    expect(await listOf(members.ann, 'dismissed')).toMatchObject([{ id: item?.id }])
    await ask(members.ann, 'inbox.restore', { ids: [item?.id] })
    expect(await listOf(members.ann)).toMatchObject([{ id: item?.id, state: 'new' }])
  })

  test('a queued recording is taken back, with its upload unless that is being finished', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(members.ann)
    const id = Number(item?.id)
    const queue = () => ask(members.ann, 'inbox.publish', { items: [{ id }] })
    await queue()
    await ask(members.ann, 'inbox.restore', { ids: [id] })
    expect(await listOf(members.ann)).toMatchObject([{ id, state: 'new' }])

    await queue()
    const uploadId = 'a'.repeat(32)
    const metadata = JSON.parse((await readRow(site.db, 'inboxItems', { id })).details ?? '{}')
    const viewer = { ...members.ann, isAdmin: false, displayName: 'ann' }
    const file = { fileName: 'clip.mp4', fileSize: item?.fileSize ?? 0 }
    await openUpload(inbox.deps(), { ...file, metadata, viewer, inboxUploadId: uploadId })
    await changeRows(site.db, 'inboxItems', { where: { id }, values: { uploadId } })
    const setUpload = (state: 'finalizing' | 'receiving') =>
      changeRows(site.db, 'uploads', { where: { id: uploadId }, values: { state } })
    await setUpload('finalizing')
    await ask(members.ann, 'inbox.dismiss', { ids: [id] })
    expect(await listOf(members.ann)).toMatchObject([{ id, state: 'queued' }])
    await setUpload('receiving')
    await ask(members.ann, 'inbox.dismiss', { ids: [id] })
    expect(await listOf(members.ann, 'dismissed')).toMatchObject([{ id }])
    expect(await listRows(site.db, 'uploads', { id: uploadId })).toMatchObject([
      { state: 'expired' },
    ])
    await publish()
    expect(await videosOf(members.ann)).toEqual([])
  })

  test('a rule sets category and visibility and publishes by itself', async () => {
    const rule = { username: 'ann', squadId: null, publishes: true }
    await ask(members.admin, 'inbox.saveSettings', {
      rules: [{ ...rule, folder: 'Matches', category: 'Tarkov', visibility: 'members' }],
    })
    await putUnique('pc/matches/clip.mp4')
    await putUnique('pc/clip.mp4')
    await look()
    await publish()
    expect(await videosOf(members.ann)).toMatchObject([
      { category: 'Tarkov', visibility: 'members' },
    ])
    expect(await listOf(members.admin)).toMatchObject([{ path: 'pc/clip.mp4' }])
  })

  test('a recording whose owner is not known waits for the admin, whatever the rules say', async () => {
    const carl = await site.addMember('carl')
    const rule = { ...PUBLISH_ALL, folder: 'Matches', username: 'carl' }
    await ask(members.admin, 'inbox.saveSettings', { rules: [rule, PUBLISH_ALL] })
    const misspelt = { rules: [{ ...rule, username: 'carlo' }] }
    expect(await refusal(members.admin, 'inbox.saveSettings', misspelt)).toMatch(/carlo/)
    const values = { bannedAt: new Date().toISOString() }
    await changeRows(site.db, 'users', { where: { id: carl.id }, values })
    await putUnique('pc/Matches/ruled.mp4')
    await putUnique('carl/own.mp4')
    await putUnique('nobody.mp4')
    await look()
    await publish()
    expect(await listRows(site.db, 'videos')).toEqual([])
    const waiting = await listOf(members.admin)
    expect(waiting.map(({ path, state }) => `${path} ${state}`).sort()).toEqual([
      'carl/own.mp4 new',
      'nobody.mp4 new',
      'pc/Matches/ruled.mp4 new',
    ])
    await ask(members.admin, 'inbox.saveSettings', { rules: [rule] })
  })

  test('a rule of one member takes nothing out of the folder of another', async () => {
    const dora = await site.addMember('dora')
    const rule = { ...PUBLISH_ALL, folder: 'ann', username: 'ann' }
    await ask(members.admin, 'inbox.saveSettings', { rules: [rule] })
    await putUnique('dora/ann/clip.mp4')
    await putUnique('pc/ann/clip.mp4')
    await look()
    expect(await listOf(dora)).toMatchObject([{ path: 'dora/ann/clip.mp4', state: 'new' }])
    expect(await listOf(members.ann)).toMatchObject([{ path: 'pc/ann/clip.mp4', state: 'queued' }])
  })

  test('a file that cannot be read for a while keeps what was decided', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(members.ann)
    await ask(members.ann, 'inbox.dismiss', { ids: [item?.id] })
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
    await utimes(at('ann/clip.mp4'), 1, 1)
    await putUnique('ann/other.mp4')
    await whileUnreadable(async () => {
      await look(3)
      expect(await listOf(members.ann, 'unusable')).toEqual([])
      await look(6)
    })
    expect(await listOf(members.ann, 'unusable')).toMatchObject([{ path: 'ann/other.mp4' }])
    expect(await listOf(members.ann, 'dismissed')).toMatchObject([{ id: item?.id }])
    await look(33)
    expect(await listOf(members.ann)).toEqual([])
    expect(await listOf(members.ann, 'dismissed')).toMatchObject([{ id: item?.id, problem: null }])
  })

  test('a recording says that it cannot be read until it is again as it was', async () => {
    await putUnique('ann/clip.mp4')
    await utimes(at('ann/clip.mp4'), 2, 2)
    await look()
    await utimes(at('ann/clip.mp4'), 1, 1)
    await whileUnreadable(() => look(9))
    const problem = 'The file could not be read.'
    expect(await listOf(members.ann)).toMatchObject([{ state: 'new', problem }])
    await utimes(at('ann/clip.mp4'), 2, 2)
    await look(1)
    expect(await listOf(members.ann)).toMatchObject([{ state: 'new', problem: null }])
  })

  test('the bell tells of recordings that wait, not of those that a rule publishes', async () => {
    await putUnique('ann/waits.mp4')
    await look()
    await site.db.deleteFrom('notifications').execute()
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
    await putUnique('ann/published.mp4')
    await look()
    expect(await listOf(members.ann)).toHaveLength(2)
    expect(await listRows(site.db, 'notifications')).toEqual([])
  })

  test('a recording that is put back after it was removed waits for a decision', async () => {
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
    await putUnique('ann/clip.mp4')
    await look()
    const path = 'ann/clip.mp4'
    const values = { state: 'dismissed', original: 'removed' } as const
    await changeRows(site.db, 'inboxItems', { where: { path }, values })
    await look()
    expect(await listOf(members.ann)).toMatchObject([{ path, state: 'new' }])
    await changeRows(site.db, 'inboxItems', { where: { path }, values })
    await putUnique(path)
    await look()
    expect(await listOf(members.ann)).toMatchObject([{ path, state: 'queued' }])
  })

  longTest('a file that changed before it was published is examined again', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    const [item] = await listOf(members.ann)
    await ask(members.ann, 'inbox.publish', { items: [{ id: item?.id }] })
    await put('ann/clip.mp4', 'two.mp4')
    await publish()
    expect(await videosOf(members.ann)).toEqual([])
    await look()
    expect(await listOf(members.ann)).toMatchObject([{ state: 'new', duration: 2 }])
  })

  test('over the quota the recording says so and stays', async () => {
    await putUnique('ann/clip.mp4')
    await look()
    await changeRows(site.db, 'users', {
      where: { id: members.ann.id },
      values: { quotaBytes: 1000 },
    })
    const [item] = await listOf(members.ann)
    await ask(members.ann, 'inbox.publish', { items: [{ id: item?.id }] })
    await publish()
    await changeRows(site.db, 'users', {
      where: { id: members.ann.id },
      values: { quotaBytes: null },
    })
    const [refused] = await listOf(members.ann)
    expect(refused).toMatchObject({
      state: 'new',
      problem: expect.stringMatching(/storage|quota/i),
    })
  })

  longTest(
    'moved originals go once the video plays; those of deleted videos by setting',
    async () => {
      await ask(members.admin, 'inbox.saveSettings', { originals: 'move' })
      await putUnique('ann/moved.mp4')
      await look()
      const [moved] = await listOf(members.ann)
      await ask(members.ann, 'inbox.publish', { items: [{ id: moved?.id }] })
      await publish()
      const isThere = (path: string) =>
        stat(at(path)).then(
          () => true,
          () => false,
        )
      expect(await isThere('ann/moved.mp4')).toBe(false)
      expect(await videosOf(members.ann)).toMatchObject([{ processingState: 'ready' }])

      await ask(members.admin, 'inbox.saveSettings', { originals: 'copy', whenDeleted: 'delete' })
      await putUnique('ann/copied.mp4')
      await look()
      const [copied] = await listOf(members.ann)
      await ask(members.ann, 'inbox.publish', { items: [{ id: copied?.id }] })
      await publish()
      expect(await isThere('ann/copied.mp4')).toBe(true)
      const { videoId } = await readRow(site.db, 'inboxItems', { path: 'ann/copied.mp4' })
      await site.db
        .deleteFrom('videos')
        .where('id', '=', videoId ?? 0)
        .execute()
      await publish()
      expect(await isThere('ann/copied.mp4')).toBe(false)
    },
  )

  test('recordings left in place are never written to, and stored files are no links', async () => {
    await ask(members.admin, 'inbox.saveSettings', { originals: 'link', rules: [PUBLISH_ALL] })
    await putUnique('ann/plays.mp4')
    await putUnique('ann/old.avi', 'old.avi')
    const paths = [at('ann/plays.mp4'), at('ann/old.avi')]
    const describe = async (path: string) => {
      const { ino, mode, mtimeMs, nlink } = await stat(path)
      return { ino, mode, mtimeMs, nlink, bytes: await readFile(path) }
    }
    const before = await Promise.all(paths.map(describe))
    await look()
    await publish()
    const videos = await videosOf(members.ann)
    expect(videos.map(({ title }) => title).sort()).toEqual(['old', 'plays'])
    expect(await Promise.all(paths.map(describe))).toEqual(before)
    const stored = await readdir(site.disk.folders.media, { recursive: true, withFileTypes: true })
    expect(stored.filter((entry) => entry.isSymbolicLink())).toEqual([])
    expect(await readdir(site.disk.folders.uploads)).toEqual([])
  })

  test('a full disk holds the queue up, and it goes on when there is room', async () => {
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
    await putUnique('ann/clip.mp4')
    await look()
    const { freeBytes } = site.disk
    site.disk.freeBytes = async () => 1000
    await expect(publish()).rejects.toThrow(/room|space/)
    expect((await ask<InboxStatus>(members.admin, 'inbox.status')).problem).toMatch(/room|space/)
    site.disk.freeBytes = freeBytes
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(1)
    expect((await ask<InboxStatus>(members.admin, 'inbox.status')).problem).toBeNull()
  })

  test('a video stays while its recording may be elsewhere', async () => {
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL], whenMissing: 'delete' })
    await putUnique('ann/first.mp4')
    await look()
    await publish()
    await ask(members.admin, 'inbox.saveSettings', { rules: [] })
    await copyFile(at('ann/first.mp4'), at('ann/copy.mp4'))
    await look()
    await rm(at('ann/first.mp4'))
    await look()
    const values = { missingSince: new Date(Date.now() - 2 * 3_600_000).toISOString() }
    const age = () => changeRows(site.db, 'inboxItems', { where: { isMissing: 1 }, values })
    await age()
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(1)
    await rm(at('ann/copy.mp4'))
    await putUnique('ann/other.mp4')
    await look(2)
    await age()
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(1)
    inbox.restart()
    await publish()
    await look(2)
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(1)
    await look(1)
    await publish()
    expect(await videosOf(members.ann)).toEqual([])
  })

  longTest('the video of a recording deleted in its folder stays, or goes by setting', async () => {
    await ask(members.admin, 'inbox.saveSettings', { rules: [PUBLISH_ALL] })
    await putUnique('ann/first.mp4')
    await putUnique('ann/other.mp4')
    await look()
    await publish()
    await rm(at('ann/first.mp4'))
    await look()
    const values = { missingSince: new Date(Date.now() - 2 * 3_600_000).toISOString() }
    const age = () =>
      changeRows(site.db, 'inboxItems', { where: { path: 'ann/first.mp4' }, values })
    await age()
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(2)

    await ask(members.admin, 'inbox.saveSettings', { whenMissing: 'delete' })
    await rename(folder, `${folder}-away`)
    await mkdir(at('ann'), { recursive: true })
    await publish()
    expect(await videosOf(members.ann)).toHaveLength(2)

    await rm(folder, { recursive: true })
    await rename(`${folder}-away`, folder)
    await publish()
    expect(await videosOf(members.ann)).toMatchObject([{ title: 'other' }])
    const audit = await listRows(site.db, 'auditLog', { action: 'video.delete' })
    expect(audit).toMatchObject([{ reason: 'Its recording was deleted in its folder.' }])
  })

  test('files that have been missing for a month are forgotten, unless somebody decided', async () => {
    await writeFile(at('empty.mp4'), '')
    for (const name of ['dismissed', 'lately', 'new', 'removed']) await putUnique(`ann/${name}.mp4`)
    await look()
    await rm(at('ann'), { recursive: true })
    await rm(at('empty.mp4'))
    await look()
    const change = (path: string, values: Partial<InboxItemRow>) =>
      changeRows(site.db, 'inboxItems', { where: { path }, values })
    const missingSince = new Date(Date.now() - 31 * 24 * 3_600_000).toISOString()
    await change('empty.mp4', { missingSince })
    await change('ann/new.mp4', { missingSince })
    await change('ann/dismissed.mp4', { missingSince, state: 'dismissed' })
    await change('ann/removed.mp4', { missingSince, state: 'dismissed', original: 'removed' })
    await forgetMissing(inbox.deps(), inbox.memory())
    const kept = await listRows(site.db, 'inboxItems')
    expect(kept.map(({ path }) => path).sort()).toEqual(['ann/dismissed.mp4', 'ann/lately.mp4'])
  })

  test('an admin stops and resumes the inbox', async () => {
    await putUnique('ann/clip.mp4')
    await ask(members.admin, 'inbox.pause', { isPaused: true })
    await look()
    expect(await listOf(members.ann)).toEqual([])
    await ask(members.admin, 'inbox.pause', { isPaused: false })
    await look()
    expect(await listOf(members.ann)).toHaveLength(1)
    expect(await ask<InboxStatus>(members.admin, 'inbox.status')).toMatchObject({
      offered: 1,
      isPaused: false,
      problem: null,
    })
  })
})

test('a file that the site may not read is examined again once it may', async (context) => {
  if (process.getuid?.() === 0) return context.skip()
  await putUnique('ann/clip.mp4')
  const path = at('ann/clip.mp4')
  await chmod(path, 0)
  await look()
  expect(await listOf(members.ann)).toEqual([])
  await chmod(path, 0o644)
  await look()
  expect(await listOf(members.ann)).toHaveLength(1)
})
