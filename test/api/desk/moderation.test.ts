import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { callsOf } from '#test/support/procedure-call.ts'
import { setUpAdmin, setUpMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
const admin = setUpAdmin(site, { hasPassword: true })
const { ann } = setUpMembers(site, ['ann'], { hasPassword: true })
const { bob } = setUpMembers(site, ['bob'])

const { ask, statusOf } = callsOf(site)
const inbox = async (as: TestMember) =>
  (await ask<{ items: { title: string; message: string }[] }>(as, 'notification.list', {})).items

describe('approval', () => {
  const clip = () => join(site.dataFolder, 'approval.mp4')
  const upload = async (as: TestMember) => {
    const uploadId = await sendFile({ site, as }, { path: clip(), metadata: { title: 'New' } })
    return (await complete({ site, as }, { uploadId })).json().videoId as number
  }
  const queue = async () =>
    (await ask<{ items: Video[] }>(admin, 'moderation.queue', {})).items.map(({ id }) => id)
  beforeAll(async () => {
    await makeClip({ path: clip(), seconds: 1 })
    await ask(admin, 'site.edit', { uploadsNeedApproval: true })
  })
  afterAll(() => ask(admin, 'site.edit', { uploadsNeedApproval: false }))

  test('a rejection removes the notifications of subscribers, and hides what is said there', async () => {
    await ask(bob, 'subscription.create', { channelId: ann.id })
    const id = await upload(ann)
    await ask(admin, 'moderation.approve', { id })
    expect(await inbox(bob)).toHaveLength(1)
    const comment = await ask<{ id: number }>(bob, 'comment.create', {
      videoId: id,
      content: 'Nice',
    })
    await ask(admin, 'moderation.reject', { id, reason: 'Not a game.' })
    expect(await inbox(bob)).toEqual([])
    const reply = { videoId: id, content: 'Thank you', parentId: comment.id }
    expect(await statusOf(ann, 'comment.create', reply)).toBe(200)
    expect(await inbox(bob)).toEqual([])
  })

  test('holds back a member’s upload until an admin approves it, and notifies them', async () => {
    await ask(bob, 'subscription.create', { channelId: ann.id })
    const id = await upload(ann)
    expect(await statusOf(undefined, 'video.get', { id })).toBe(404)
    expect(await statusOf(bob, 'video.get', { id })).toBe(404)
    expect(await ask(ann, 'video.get', { id })).toMatchObject({
      contentApproved: false,
      contentScanned: true,
    })
    expect(await queue()).toEqual([id])
    expect(await inbox(bob)).toEqual([])
    await ask(admin, 'moderation.approve', { id })
    expect(await ask(undefined, 'video.get', { id })).toMatchObject({ contentApproved: true })
    expect(await queue()).toEqual([])
    expect(await inbox(bob)).toMatchObject([{ message: 'New' }])
    expect(await inbox(ann)).toContainEqual(
      expect.objectContaining({ title: 'Your video was approved' }),
    )
  })

  test('is refused with a reason that the uploader receives', async () => {
    const id = await upload(ann)
    expect(await statusOf(admin, 'moderation.reject', { id, reason: ' ' })).toBe(400)
    await ask(admin, 'moderation.reject', { id, reason: 'Somebody else’s clip' })
    expect(await queue()).toEqual([])
    expect(await inbox(ann)).toMatchObject([
      { title: 'Your video was rejected', message: '"New": Somebody else’s clip' },
    ])
    expect(await statusOf(undefined, 'video.get', { id })).toBe(404)
    expect(await statusOf(ann, 'video.get', { id })).toBe(200)
  })

  test('is not asked of an admin’s own uploads', async () => {
    expect(await ask(undefined, 'video.get', { id: await upload(admin) })).toMatchObject({
      contentApproved: true,
    })
  })
})

describe('moderation', () => {
  test('lists reports newest first, each target once a person, until they are closed', async () => {
    const videoId = await site.addVideo(ann)
    await ask(bob, 'report.create', { videoId, reason: 'Spam' })
    await ask(bob, 'report.create', { videoId, reason: 'Spam again' })
    await ask(bob, 'report.create', { channelId: ann.id, reason: 'Rude' })
    type Report = { id: number; reason: string; reporterName: string; state: string }
    const list = async (state: string) =>
      (await ask<{ items: Report[] }>(admin, 'report.list', { state })).items
    const open = await list('open')
    expect(open.map(({ reason, reporterName }) => [reason, reporterName])).toEqual([
      ['Rude', bob.username],
      ['Spam', bob.username],
    ])
    const { id } = open[0] as Report
    await ask(admin, 'report.close', { id, state: 'resolved' })
    expect(await statusOf(admin, 'report.close', { id, state: 'dismissed' })).toBe(404)
    expect(await list('resolved')).toMatchObject([
      { id, reason: 'Rude', closedAt: expect.any(String) },
    ])
    await ask(bob, 'report.create', { channelId: ann.id, reason: 'Still rude' })
    expect(await list('open')).toHaveLength(2)
    expect(await statusOf(bob, 'report.create', { videoId, channelId: 1, reason: 'Both' })).toBe(
      400,
    )
    expect(await statusOf(bob, 'report.create', { reason: 'Nothing' })).toBe(400)
  })

  test('gives and takes the admin role, from the next request on', async () => {
    await ask(admin, 'moderation.setAdmin', { userId: bob.id, isAdmin: true })
    expect(await statusOf(bob, 'moderation.queue', {})).toBe(200)
    await ask(admin, 'moderation.setAdmin', { userId: bob.id, isAdmin: false })
    expect(await statusOf(bob, 'moderation.queue', {})).toBe(403)
    const unknown = { userId: 999_999, isAdmin: true }
    expect(await statusOf(admin, 'moderation.setAdmin', unknown)).toBe(404)
  })

  test('names the site, and says its limits to everybody', async () => {
    expect(await ask(admin, 'site.edit', { name: 'Clips of Ours' })).toMatchObject({
      name: 'Clips of Ours',
    })
    expect(await ask(undefined, 'site.settings')).toMatchObject({
      name: 'Clips of Ours',
      uploadsNeedApproval: false,
      maxVideoBytes: 524_288_000,
      maxThumbnailBytes: 2_097_152,
    })
    expect(await statusOf(admin, 'site.edit', { name: ' ' })).toBe(400)
  })
})
