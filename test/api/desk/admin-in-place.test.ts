import { describe, expect, test } from 'vitest'
import type { AuditEntry } from '#shared/schemas/desk/audit.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site)
const { ann, bob } = setUpMembers(site, ['ann', 'bob'])

const { ask, refusal } = callsOf(site)
const inbox = async (as: TestMember) =>
  (await ask<{ items: { title: string; message: string }[] }>(as, 'notification.list', {})).items
const lastEntry = async (action: string) =>
  (await ask<{ items: AuditEntry[] }>(admin, 'audit.list', { action })).items[0]
const read = (as: TestMember | undefined, id: number) => ask<Video>(as, 'video.get', { id })

describe('an admin’s edit of a video', () => {
  test('changes what is given, is written down, and notifies the owner of what and why', async () => {
    const id = await site.addVideo(ann, { title: 'Rude title', description: 'As it was' })
    const change = { title: 'Loot run', category: 'Rust', tags: ['loot'] }
    await ask(admin, 'moderation.editVideo', { id, ...change, reason: 'No insults here' })
    expect(await read(undefined, id)).toMatchObject({ ...change, description: 'As it was' })
    const what = 'No insults here (title: "Loot run", game: Rust, other tags)'
    expect(await lastEntry('video.edit')).toMatchObject({
      ...{ actorId: admin.id, targetId: id, targetName: 'Rude title', reason: what },
    })
    expect(await inbox(ann)).toMatchObject([
      { title: 'Your video was edited', message: `"Rude title": ${what}` },
    ])
  })

  test('needs a reason, a change and a game that there is', async () => {
    const id = await site.addVideo(ann, { title: 'The same', category: 'Rust' })
    const by = (input: object) => refusal(admin, 'moderation.editVideo', { id, ...input })
    expect(await by({ title: 'Another', reason: ' ' })).toMatch(/^400/)
    expect(await by({ title: 'The same', reason: 'Because' })).toBe(
      '409 There is nothing to change.',
    )
    expect(await by({ category: 'Chess', reason: 'Because' })).toMatch(/^400/)
    expect(await by({ isAnonymous: true, reason: 'Because' })).toMatch(/^409/)
    expect(await read(undefined, id)).toMatchObject({ title: 'The same', category: 'Rust' })
    expect(await inbox(ann)).toEqual([])
  })

  test('of an anonymous video leaves it anonymous', async () => {
    const id = await site.addVideo(ann, { isAnonymous: 1 })
    await ask(admin, 'moderation.editVideo', { id, title: 'Renamed', reason: 'A name in it' })
    expect(await read(bob, id)).toMatchObject({ userId: null, channel: null, title: 'Renamed' })
    expect(await inbox(bob)).toEqual([])
  })
})

describe('an admin’s edit of a channel', () => {
  test('changes its name and bio, takes its pictures, is written down, and notifies its member of why', async () => {
    const avatarUrl = `/media/${String(ann.id).padStart(32, '0')}/avatar.jpg`
    await site.db.updateTable('users').set({ avatarUrl }).where('id', '=', ann.id).execute()
    const change = { displayName: 'Ann', bio: 'Plays Rust', removesAvatar: true }
    const edit = { userId: ann.id, ...change, reason: 'No insults in names' }
    await ask(admin, 'moderation.editChannel', edit)
    expect(await ask(bob, 'user.get', { id: ann.id })).toMatchObject({
      ...{ displayName: 'Ann', bio: 'Plays Rust', avatarUrl: null },
    })
    const what = 'No insults in names (name: "Ann", another bio, no avatar)'
    expect(await lastEntry('member.edit')).toMatchObject({ targetId: ann.id, reason: what })
    expect(await inbox(ann)).toMatchObject([{ title: 'Your channel was edited', message: what }])
    expect(await refusal(admin, 'moderation.editChannel', edit)).toMatch(/^409 There is nothing/)
    expect(await refusal(bob, 'moderation.editChannel', edit)).toMatch(/^403/)
  })

  test('is not for another admin’s', async () => {
    const other = await site.addMember(`boss${ann.id}`, { isAdmin: true })
    const edit = { userId: other.id, displayName: 'Somebody', reason: 'Because' }
    expect(await refusal(admin, 'moderation.editChannel', edit)).toMatch(/^409 This member is an/)
  })
})

describe('a rejected video', () => {
  const reject = (id: number) => ask(admin, 'moderation.reject', { id, reason: 'Too dark' })
  const queue = async () =>
    (await ask<{ items: Video[] }>(admin, 'moderation.queue', {})).items.map(({ id }) => id)

  test('can be mended and sent in again by its owner, and waits once more', async () => {
    const id = await site.addVideo(ann, { title: 'Night raid', contentApproved: 0 })
    await reject(id)
    await ask(ann, 'video.edit', { id, title: 'Night raid, brighter' })
    expect(await ask(ann, 'video.resubmit', { id })).toMatchObject({
      ...{ contentApproved: false, rejectionReason: null, withheld: null },
    })
    expect(await queue()).toEqual([id])
    expect(await lastEntry('video.resubmit')).toMatchObject({ actorId: ann.id, targetId: id })
    expect(await refusal(bob, 'video.get', { id })).toMatch(/^404/)
    await ask(admin, 'moderation.approve', { id })
    expect(await read(bob, id)).toMatchObject({ contentApproved: true })
  })

  test('is sent in again three times at most, until it was approved', async () => {
    const id = await site.addVideo(ann)
    for (let turn = 0; turn < 3; turn++) {
      await reject(id)
      await ask(ann, 'video.resubmit', { id })
    }
    await reject(id)
    expect(await refusal(ann, 'video.resubmit', { id })).toMatch(/^429 .* 3 times/)
    await ask(admin, 'moderation.approve', { id })
    await reject(id)
    await ask(ann, 'video.resubmit', { id })
    await ask(admin, 'moderation.approve', { id })
  })

  test('is nobody else’s to send in, and what is hidden or public cannot be', async () => {
    const id = await site.addVideo(ann)
    expect(await refusal(ann, 'video.resubmit', { id })).toMatch(/^409/)
    expect(await refusal(bob, 'video.resubmit', { id })).toMatch(/^403/)
    await ask(admin, 'moderation.hideVideo', { id, reason: 'A name in it' })
    expect(await refusal(ann, 'video.resubmit', { id })).toMatch(/^409/)
    await ask(admin, 'moderation.unhideVideo', { id })
    await reject(id)
    expect(await refusal(admin, 'video.resubmit', { id })).toMatch(/^403/)
    expect(await refusal(bob, 'video.resubmit', { id })).toMatch(/^404/)
  })
})

test('why a video is withheld is for its owner and admins alone', async () => {
  const id = await site.addVideo(ann)
  await ask(admin, 'moderation.hideVideo', { id, reason: 'A name in it' })
  for (const as of [ann, admin]) expect(await read(as, id)).toMatchObject({ withheld: 'hidden' })
  expect(await refusal(bob, 'video.get', { id })).toMatch(/^404/)
})
