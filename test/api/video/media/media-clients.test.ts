import { execFile, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeAll, makeClip, readClip, readSound } from '#test/support/clips.ts'
import { parseMaster, parseMedia, parseSounds } from '#test/support/hls.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { listStored, madeAs, partsOf, readStored } from '#test/support/stored-files.ts'
import { until } from '#test/support/until.ts'
import { complete, sendFile } from '#test/support/upload-client.ts'

const SECONDS = 3
const run = promisify(execFile)

const site = setUpTestSite({ renditionHeights: [180, 96] })
/** Where the video's files are: at which address, and under which key. */
let address: string
let mediaKey: string
let shareUrl: string
/** How the files are called there: an attempt's mark is part of each name. */
let names: Map<string, string>

beforeAll(async () => {
  const as = await site.addMember('ann')
  const options = { audioTracks: 2, audioLanguages: ['eng', 'fra'], seconds: SECONDS }
  const path = await makeClip({ path: join(site.dataFolder, 'clip.mp4'), bFrames: 2, ...options })
  await site.deps.jobs.start()
  const uploadId = await sendFile({ site, as }, { path })
  const { videoId } = (await complete({ site, as }, { uploadId })).json()
  const url = `/api/videos/${videoId}`
  const getVideo = async () => (await site.get(url, { as })).json()
  await until(async () => (await getVideo()).hlsUrl !== null)
  const { videoUrl } = await getVideo()
  const origin = await site.app.listen({ host: '127.0.0.1', port: 0 })
  shareUrl = `${origin}${videoUrl}`
  address = shareUrl.slice(0, shareUrl.lastIndexOf('/'))
  ;[mediaKey] = partsOf(videoUrl)
  const stored = await listStored(site, mediaKey)
  names = new Map(stored.map((name) => [madeAs(name), name]))
})

const named = (name: string) => names.get(name) ?? name
const readText = async (name: string) => (await fetch(`${address}/${named(name)}`)).text()

describe('FFmpeg plays by its address, from start to end,', () => {
  const expectWhole = async (url: string) => {
    const reading = await readClip(url)
    expect(Math.abs(reading.durationSeconds - SECONDS)).toBeLessThan(0.15)
    const { frames, errors } = await decodeAll(url)
    expect({ frames, errors }).toEqual({ frames: SECONDS * 30, errors: 0 })
    return reading
  }

  const expectHeard = async (url: string) => {
    const { heardAt, seconds } = await readSound(url)
    expect(heardAt).toBeLessThan(0.05)
    expect(Math.abs(seconds - SECONDS)).toBeLessThan(0.15)
  }

  test('the original', async () => {
    expect((await expectWhole(shareUrl)).sounds).toHaveLength(2)
    await expectHeard(shareUrl)
  })

  test('the stream, in which it finds every rendition and every sound', async () => {
    const { pictures, sounds } = await expectWhole(`${address}/${named('hls.m3u8')}`)
    expect(pictures.map(({ height }) => height)).toEqual([180, 96])
    expect(pictures.map(({ times }) => times.length)).toEqual([SECONDS * 30, SECONDS * 30])
    expect(sounds).toHaveLength(2)
    await expectHeard(`${address}/${named('hls.m3u8')}`)
  })

  test('each rendition, by its playlist and by its file', async () => {
    const entries = parseMaster(await readText('hls.m3u8'))
    expect(entries).toHaveLength(2)
    for (const { playlist } of entries) {
      await expectWhole(`${address}/${playlist}`)
      await expectWhole(`${address}/${parseMedia(await readText(playlist)).file}`)
    }
  })

  test('both sounds', async () => {
    const tracks = parseSounds(await readText('hls.m3u8')).map(({ URI }) => `${address}/${URI}`)
    for (const url of tracks) await expectHeard(url)
    const pitches = await Promise.all(tracks.map(readSound))
    // A second of sound gives its pitch to the nearest ten or so.
    expect(pitches.map(({ pitch }) => Math.round(pitch / 440))).toEqual([1, 2])
  })
})

const hasCurl = spawnSync('curl', ['--version']).error === undefined

// Every common system has it; where it lacks, media.test.ts still asks for the same as it does.
describe.skipIf(!hasCurl)('curl takes', () => {
  const FILES = ['video.mp4', '96p.mp4', 'hls.m3u8', 'poster.jpg'] as const
  const curl = (...options: string[]) =>
    run('curl', ['--silent', '--show-error', ...options], {
      encoding: 'buffer',
      maxBuffer: 64 * 1024 * 1024,
    })
  const curlStatus = async (...options: string[]) =>
    (await curl(...options, '--write-out', '%{http_code}')).stdout.toString()
  const readWhole = async (name: string) =>
    (await readStored(site, mediaKey, named(name))) as Buffer
  const isSame = async (name: string, bytes: Buffer) => (await readWhole(name)).equals(bytes)

  test.each(FILES)('all of %s', async (name) => {
    const { stdout } = await curl(`${address}/${named(name)}`)
    expect(await isSame(name, stdout)).toBe(true)
  })

  test.each([
    ['0-99', 0, 100],
    ['100-199', 100, 200],
    ['200-', 200, undefined],
    ['-50', -50, undefined],
  ])('the part %s', async (part, start, end) => {
    const { stdout } = await curl('--range', part, shareUrl)
    const whole = await readWhole('video.mp4')
    expect(stdout.equals(whole.subarray(start, end))).toBe(true)
  })

  test('the rest of a file that broke off, and nothing of one that is whole', async () => {
    const url = `${address}/${named('96p.mp4')}`
    const output = join(site.dataFolder, 'broken-off')
    await writeFile(output, (await readWhole('96p.mp4')).subarray(0, 1000))
    const resume = ['--continue-at', '-', '--output', output, url]
    expect(await curlStatus(...resume)).toBe('206')
    expect(await isSame('96p.mp4', await readFile(output))).toBe(true)
    expect(await curlStatus(...resume)).toBe('416')
    expect(await isSame('96p.mp4', await readFile(output))).toBe(true)
  })

  test('the headers alone', async () => {
    const { stdout } = await curl('--head', shareUrl)
    const { length } = await readWhole('video.mp4')
    expect(stdout.toString().toLowerCase()).toContain(`content-length: ${length}\r\n`)
    expect(stdout.toString().toLowerCase()).toContain('accept-ranges: bytes\r\n')
  })
})
