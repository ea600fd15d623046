import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Downloads } from '#shared/schemas/download.schemas.ts'
import { makeClip } from '#test/support/clips.ts'
import { setUpAdmin, setUpFileMembers } from '#test/support/set-up-members.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import type { TestMember } from '#test/support/test-site.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const site = setUpTestSite()
const { owner, member } = setUpFileMembers(site, ['owner', 'member'])
const admin = setUpAdmin(site)
let id: number
let path: string

beforeAll(async () => {
  path = `${site.dataFolder}/clip.mp4`
  await makeClip({ path, seconds: 1 })
  const metadata = { title: 'Ace: 5 “kills” / 1 vs 5?' }
  const uploadId = await sendFile({ site, as: owner }, { path, metadata })
  id = (await complete({ site, as: owner }, { uploadId })).json().videoId
})

const list = async (as?: TestMember): Promise<Downloads> => {
  const input = encodeURIComponent(JSON.stringify({ id }))
  const url = `/trpc/video.downloads?input=${input}`
  return (await site.get(url, { ...(as && { as }) })).json().result.data
}
const download = (as?: TestMember, headers = {}, quality = 'best') =>
  site.get(`/api/videos/${id}/download?quality=${quality}`, { headers, ...(as && { as }) })
const countDownloads = async () =>
  (await site.get(`/api/videos/${id}`, { as: owner })).json().downloadCount
const edit = (payload: object) => site.patch(`/api/videos/${id}`, { payload, as: owner })
const allow = (allowsDownloads: 0 | 1) =>
  site.db.updateTable('siteSettings').set({ allowsDownloads }).execute()

test('owner and admins download always, others where the site and the owner allow it', async () => {
  const everybody = [undefined, member, owner, admin]
  const statuses = async () =>
    (await Promise.all(everybody.map((as) => download(as)))).map(({ statusCode }) => statusCode)
  const counts = async () =>
    (await Promise.all(everybody.map(list))).map((files) => files.length > 0)
  expect(await statuses()).toEqual([403, 403, 200, 200])
  expect(await counts()).toEqual([false, false, true, true])
  await allow(1)
  expect(await statuses()).toEqual([200, 200, 200, 200])
  expect(await counts()).toEqual([true, true, true, true])
  await edit({ allowsDownload: false })
  expect(await statuses()).toEqual([403, 403, 200, 200])
  await edit({ allowsDownload: true, visibility: 'members' })
  expect(await statuses()).toEqual([404, 200, 200, 200])
  await edit({ visibility: 'public' })
})

test('a download has the name of its video, goes on where it broke off, and counts once', async () => {
  const before = await countDownloads()
  const whole = await download(member)
  expect(whole.headers['content-disposition']).toBe(
    `attachment; filename="Ace 5 _kills_ 1 vs 5.mp4"; filename*=UTF-8''Ace%205%20%E2%80%9Ckills%E2%80%9D%201%20vs%205.mp4`,
  )
  expect(whole.headers).toMatchObject({
    'content-type': 'video/mp4',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  })
  const rest = await download(member, { range: 'bytes=100-' })
  expect(rest.statusCode).toBe(206)
  expect(rest.rawPayload.equals(whole.rawPayload.subarray(100))).toBe(true)
  expect(await countDownloads()).toBe(before + 1)
  const asMember = await site.get(`/api/videos/${id}`, { as: member })
  expect(asMember.json()).toMatchObject({ downloadCount: null, allowsDownload: true })
})

test("the original is the file that was sent, and an anonymous owner's is nobody else's", async () => {
  const files = await list(owner)
  const original = files.find(({ quality }) => quality === 'original')
  if (original) {
    const answer = await download(owner, {}, 'original')
    expect(answer.rawPayload.equals(await readFile(path))).toBe(true)
    expect(original.fileName).toMatch(/\.mp4$/)
  }
  await edit({ isAnonymous: true })
  const others = await list(member)
  expect(others.map(({ quality }) => quality)).not.toContain('original')
  expect((await download(member, {}, 'original')).statusCode).toBe(404)
  expect((await download(owner, {}, '17')).statusCode).toBe(404)
  expect((await download(owner, {}, 'huge')).statusCode).toBe(400)
})
