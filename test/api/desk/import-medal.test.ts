import { mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { longTest } from '#test/support/long-form.ts'

let site: ImportSite

beforeEach(async () => {
  site = await openImportSite()
})
afterEach(() => site.remove())

const bring = (...args: string[]) => site.run(['medal', site.folder, '--owner', 'ann', ...args])

async function makeVideo(path: string, solid?: string): Promise<string> {
  const full = join(site.folder, path)
  await mkdir(dirname(full), { recursive: true })
  await makeClip({ path: full, seconds: 3, ...(solid && { solid }) })
  return full
}

const writeClips = (content: unknown, name = 'clips.json') =>
  writeFile(join(site.folder, name), JSON.stringify(content))

const rust = 'MedalTVRust20250501224800123.mp4'

function clipOf(uuid: string, change: object = {}) {
  return {
    ...{ uuid, clipID: uuid.toUpperCase(), Status: 'local', clipType: 'clip', GameCategory: '62' },
    ...{ FilePath: `D:\\Medal\\Clips\\Rust\\${rust}`, GameTitle: 'Rust 05/01/2025 22:48:00' },
    ...{ TimeCreated: 1746139680.5, Content: { contentTitle: 'Untitled', tags: [] } },
    ...change,
  }
}

test('clips of Medal come with titles, games, times and events, once', async () => {
  await makeVideo(`Clips/Rust/${rust}`, '0xc83c28')
  await makeVideo(`Edits/${rust}`, '0x28c83c')
  await makeVideo('Clips/Deep Rock/ace.mp4', '0x283cc8')
  const named = { contentTitle: 'Ace', contentDescription: 'At night', tags: ['clutch'] }
  await writeClips({
    one: clipOf('one', {
      bookmarks: [{ time: 1.5, name: 'Kill' }, { time: '2' }, { time: 'x' }, { time: null }],
    }),
    two: clipOf('two', { FilePath: `e:/medal/EDITS/${rust.toLowerCase()}`, Content: named }),
    three: {
      ...{ clipId: 'three', filePath: 'C:\\Medal\\Clips\\Deep Rock\\ace.mp4', gameCategory: 7 },
      ...{ gameTitle: 'Rock and stone', timeCreated: 1_700_000_000_000 },
    },
    four: clipOf('four', { FilePath: 'D:\\old.mp4', TimeCreated: null }),
    picture: clipOf('picture', { FilePath: undefined, Image: 'D:\\Medal\\Screenshots\\a.png' }),
  })
  const old = await makeVideo('old.mp4', '0x808080')
  await utimes(old, 1_600_000_000, 1_600_000_000)
  const games = [{ categoryId: '7', categoryName: 'Deep Rock Galactic', isGame: true }, 'damaged']
  await writeClips({ games }, 'game.json')

  const done = await bring()
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^Imported 4 videos, .*\. 0 were there already\.\n$/m)
  expect(done.out).toContain('1 picture of Medal cannot come: this is a video site.')
  const expected = { category: 'Rust', viewCount: 0 }
  expect(await site.listVideos()).toMatchObject([
    { title: 'old', publishedAt: '2020-09-13T12:26:40.000Z' },
    {
      ...{ title: 'Rock and stone', category: 'Other', tags: '["Deep Rock Galactic"]' },
      publishedAt: '2023-11-14T22:13:20.000Z',
    },
    { ...expected, title: 'Rust, 1 May 2025, 22:48', publishedAt: '2025-05-01T22:48:00.500Z' },
    { ...expected, title: 'Ace', description: 'At night', tags: '["clutch"]' },
  ])
  const moments = site.db.selectFrom('moments').select(['videoId', 'source', 'atSeconds', 'title'])
  expect(await moments.execute()).toEqual([
    { videoId: 3, source: 'chapter', atSeconds: 1.5, title: 'Kill' },
    { videoId: 3, source: 'chapter', atSeconds: 2, title: null },
  ])
  const again = await bring()
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 4 were there already\.\n$/m)
})

test('clips that cannot come are named with a reason, and nothing of them is left', async () => {
  const outside = join(site.dataFolder, 'outside.mp4')
  await makeClip({ path: outside })
  await symlink(outside, join(site.folder, 'link.mp4'))
  await symlink(site.dataFolder, join(site.folder, 'linked'))
  await writeFile(join(site.folder, 'text.mp4'), 'This is no video.'.repeat(100))
  for (const folder of ['a', 'b']) await makeVideo(`${folder}/same.mp4`)
  const paths = [
    ...['link.mp4', outside, '..\\..\\outside.mp4', 'D:\\linked\\outside.mp4'],
    ...['text.mp4', 'D:\\same.mp4', 'D:\\'],
  ]
  const clips = paths.map((FilePath, index) => clipOf(`clip-${index}`, { FilePath }))
  await writeClips([...clips, 'no clip', clipOf('x'.repeat(100), { clipID: 'y'.repeat(100) })])
  const done = await bring()
  expect(done.code).toBe(1)
  const missing = paths.slice(0, 4).map((path) => `${path}: The file is missing.`)
  const lines = done.err.split('\n').slice(1, -1)
  expect(lines.map((line) => line.trim())).toEqual([
    ...missing,
    'D:\\same.mp4: Several files in different folders have its name.',
    'D:\\: The file is missing.',
    `D:\\Medal\\Clips\\Rust\\${rust}: The file is missing.`,
    expect.stringMatching(/^text\.mp4: .*\.$/),
    'clips.json: 1 clip cannot be read.',
  ])
  expect(await site.listVideos()).toEqual([])
  expect(await site.listLeft()).toEqual([])
})

longTest('another file, a missing one and a huge one are refused with a sentence', async () => {
  const path = join(site.folder, 'clips.json')
  const refused = (err: string) => ({ code: 1, out: '', err: `${err}\n` })
  expect(await bring()).toEqual(refused(`There is no clips.json in ${site.folder}.`))
  const wrong = refused(`${path} is not a list of Medal's clips.`)
  for (const text of ['', '{"clips":', 'null', '7', '{"clips":7}', '['.repeat(100_000)]) {
    await writeFile(path, text)
    expect(await bring(), text.slice(0, 20)).toEqual(wrong)
  }
  await writeFile(path, Buffer.alloc(65 * 1024 * 1024, '['))
  expect(await bring()).toEqual(wrong)
  await writeFile(path, `${'{"clips":'.repeat(50_000)}{}${'}'.repeat(50_000)}`)
  expect((await bring()).code).toBeLessThan(2)
  expect(await readdir(join(site.dataFolder, 'work'))).toEqual([])
})
