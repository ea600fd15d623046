import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeClip } from '#test/support/clips.ts'
import { type ImportSite, openImportSite } from '#test/support/import-site.ts'
import { longTest } from '#test/support/long-form.ts'

const ADDRESS = 'https://videos.example.org/watch?v=one'
const description = {
  ...{ id: 'one', extractor_key: 'Example', title: 'Ace', description: 'At night' },
  ...{ timestamp: 1_700_000_000, view_count: 7, tags: ['Rust', 'clutch'], categories: ['Gaming'] },
  ...{ filesize_approx: 123_456, chapters: [{ start_time: 1.5, title: 'The ace', end_time: 3 }] },
}

let site: ImportSite
let program: string

beforeEach(async () => {
  site = await openImportSite()
  program = join(site.folder, 'yt-dlp')
  await makeClip({ path: join(site.folder, 'clip.mp4'), seconds: 3 })
})
afterEach(() => site.remove())

/** A program with the calls of yt-dlp, which notes them. `download` runs in the folder of the download. */
async function install(answer: unknown, download = 'copyFileSync(clip, "video.mp4")') {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const lines = [
    `#!${process.execPath}`,
    'const { appendFileSync, copyFileSync, writeFileSync } = require("node:fs")',
    `const clip = ${JSON.stringify(join(site.folder, 'clip.mp4'))}`,
    'const words = process.argv.slice(2)',
    'const call = { words, environment: Object.keys(process.env), folder: process.cwd() }',
    `appendFileSync(${JSON.stringify(join(site.folder, 'calls'))}, JSON.stringify(call) + "\\n")`,
    `if (words.includes("--dump-single-json")) process.stdout.write(${JSON.stringify(text)})`,
    `else { ${download} }`,
  ]
  await writeFile(program, lines.join('\n'))
  await chmod(program, 0o755)
}

async function listCalls(): Promise<{ words: string[]; environment: string[]; folder: string }[]> {
  const text = await readFile(join(site.folder, 'calls'), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

const bring = (args: string[] = [], env: Record<string, string> = {}) =>
  site.run(['yt-dlp', ADDRESS, '--owner', 'ann', ...args], { YT_DLP: program, ...env })

test('a video comes by yt-dlp with its texts, once, and only if an admin turns it on', async () => {
  await install(description)
  const off = await site.run(['yt-dlp', ADDRESS, '--owner', 'ann'])
  const sentence = 'yt-dlp is off. Install it, and set YT_DLP to its path.'
  expect(off).toEqual({ code: 1, out: '', err: `${sentence}\n` })
  const tried = await bring(['--dry-run'])
  expect(tried).toMatchObject({ code: 0, err: '' })
  expect(tried.out).toContain('Publish only your own uploads')
  expect(await listCalls()).toHaveLength(1)

  const done = await bring()
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^Imported 1 video, .*\. 0 were there already\.\n$/m)
  expect(await site.listVideos()).toMatchObject([
    {
      ...{ title: 'Ace', description: 'At night', category: 'Rust', tags: '["clutch"]' },
      ...{ viewCount: 7, publishedAt: '2023-11-14T22:13:20.000Z' },
    },
  ])
  const moments = site.db.selectFrom('moments').select(['atSeconds', 'title'])
  expect(await moments.execute()).toEqual([{ atSeconds: 1.5, title: 'The ace' }])
  for (const { words, environment, folder } of await listCalls()) {
    expect(words.slice(-2)).toEqual(['--', ADDRESS])
    expect(words).toEqual(expect.arrayContaining(['--ignore-config', '--no-exec', '--no-cookies']))
    expect(environment.toSorted()).toEqual(['HOME', 'LANG', 'PATH'])
    expect(folder).toBe(join(site.dataFolder, 'work', 'import'))
  }
  expect(await site.listLeft()).toHaveLength(1)
  const again = await bring()
  expect(again.out).toMatch(/^Imported 0 videos, .*\. 1 were there already\.\n$/m)
})

test('a failure, a file that is too large and one that is missing are named, and nothing is left', async () => {
  const downloads: [download: string, sentence: string][] = [
    ['console.error("WARNING: a\\nERROR: [Example] one: Private"); process.exit(1)', 'Private'],
    [
      'writeFileSync("video.f1.mp4.part", Buffer.alloc(3e6)); setInterval(() => {}, 1000)',
      'larger than 1MB',
    ],
    ['', 'larger than 1MB'],
    ['writeFileSync("video.f1", ""); writeFileSync("video.f2", "")', 'Install FFmpeg for yt-dlp'],
    ['writeFileSync("video.mp4", "text ".repeat(500))', 'This is a text file'],
    ['require("node:fs").symlinkSync("/etc/passwd", "video.mp4")', 'could not be made'],
  ]
  for (const [download, sentence] of downloads) {
    await install(description, download)
    const done = await bring([], { MAX_VIDEO_BYTES: '1048576' })
    expect(done.code, download).toBe(1)
    expect(done.err, download).toContain(sentence)
    expect(await site.listLeft(), download).toEqual([])
  }
  expect(await site.db.selectFrom('importedVideos').select('id').execute()).toEqual([])
})

test('a long download says how much has come', async () => {
  const download =
    'writeFileSync("video.mp4.part", Buffer.alloc(3e6)); setTimeout(() => { copyFileSync(clip, "video.mp4") }, 3500)'
  await install(description, download)
  const done = await bring()
  expect(done).toMatchObject({ code: 0, err: '' })
  expect(done.out).toMatch(/^2\.9MB fetched\.$/m)
})

test('numbers that no date or count can have are left out', async () => {
  await install({ ...description, timestamp: 1e20, view_count: 1e300 })
  expect(await bring()).toMatchObject({ code: 0, err: '' })
  const [video] = await site.listVideos()
  expect(video).toMatchObject({ title: 'Ace', viewCount: 0 })
  expect(Date.parse(video?.publishedAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
})

longTest('other answers and addresses are refused with a sentence', async () => {
  const answers: [answer: unknown, sentence: string][] = [
    ['{"id":', 'yt-dlp gives no description of this address.'],
    [
      { ...description, _type: 'playlist' },
      'This is the address of several videos. Name that of one.',
    ],
    [{ ...description, is_live: true }, 'This is a live stream. Only recordings can come.'],
    ['['.repeat(20_000_000), 'yt-dlp says too much.'],
  ]
  for (const [answer, sentence] of answers) {
    await install(answer)
    expect(await bring()).toEqual({ code: 1, out: '', err: `${sentence}\n` })
  }
  const locked = 'https://ann:secret@videos.example.org/watch?v=one'
  const calls = await listCalls()
  const refused = await site.run(['yt-dlp', locked, '--owner', 'ann'], { YT_DLP: program })
  expect(refused.err).toContain('The address must have no name or password')
  expect(refused.err).not.toContain('secret')
  expect(await listCalls()).toEqual(calls)
  const none = join(site.folder, 'none')
  expect((await bring([], { YT_DLP: none })).err).toBe(`${none} cannot be started.\n`)
  expect((await bring([], { YT_DLP: 'yt-dlp' })).err).toContain('YT_DLP')
  const words = ['yt-dlp', '--owner', 'ann', '--', '--exec=touch /tmp/x']
  expect((await site.run(words, { YT_DLP: program })).err).toContain('is no address')
  expect(await site.listLeft()).toEqual([])
})
