import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeClip } from '#test/support/clips.ts'
import {
  type DeployedProxy,
  hasCaddy,
  hasNginx,
  isInstalled,
  startCaddy,
  startNginx,
  trustOnly,
} from '#test/support/deployed-proxy.ts'
import { findFreePort } from '#test/support/free-port.ts'
import { startServer } from '#test/support/server-process.ts'
import type { Figure, TorturePart, TortureResult } from '../part.ts'
import { sendVideo } from '../send-video.ts'
import { createSiteClient, type SiteClient } from '../support/site-client.ts'

const UNIT = join(import.meta.dirname, '..', '..', '..', 'deploy', 'clutch.service')
const EXPOSURE_MAX = 3
/** Several chunks. */
const CLIP = { width: 1280, height: 720, seconds: 8, frameRate: 30 }
const TOO_LARGE_BYTES = 700_000_000
/** More than one address may fail to sign in. */
const GUESSES = 16
const LIVE_TIMEOUT_MS = 30_000

export const part: TorturePart = {
  name: 'deploy',
  description: 'uploads, plays and listens through nginx and Caddy, and rates the unit of systemd',
  deadlineMinutes: 10,
  async run({ folder }) {
    const bytes = await readFile(await makeClip({ path: join(folder, 'clip.mp4'), ...CLIP }))
    const results: TortureResult[] = []
    if (hasNginx) results.push(await tryProxy({ start: startNginx, prefix: '/_media', bytes }))
    if (hasCaddy) results.push(await tryProxy({ start: startCaddy, prefix: '', bytes }))
    if (isInstalled('systemd-analyze', '--version')) results.push(await rateUnit())
    return {
      figures: results.flatMap(({ figures }) => figures),
      failures: results.flatMap(({ failures }) => failures),
      ...(results.length === 0 && {
        skipped: 'None of nginx, Caddy and systemd-analyze is installed.',
      }),
    }
  },
}

/** The site as its deploy files set it up, from the page to the live events. */
async function tryProxy(input: {
  start: typeof startNginx
  prefix: string
  bytes: Buffer
}): Promise<TortureResult> {
  const { start, prefix, bytes } = input
  const failures: string[] = []
  const port = await findFreePort()
  const env = {
    ...{ TRUSTED_PROXY: '127.0.0.1', RATE_LIMIT_SCALE: '1', X_ACCEL_PREFIX: prefix },
    PUBLIC_URL: 'https://localhost',
  }
  const server = await startServer({ port, env })
  const proxy = await start({ port, dataFolder: server.dataFolder, host: 'localhost' })
  const distrust = trustOnly(proxy.ca)
  const origin = `https://localhost:${proxy.ports.https}`
  const expect = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) failures.push(`${proxy.name}: ${what}: ${found} in place of ${wanted}`)
  }
  try {
    const page = await fetch(origin)
    expect('the page', page.headers.get('content-type'), 'text/html; charset=utf-8')
    const plain = await fetch(`http://localhost:${proxy.ports.http}/v/1`, { redirect: 'manual' })
    expect('plain HTTP leads to', plain.headers.get('location')?.slice(0, 17), 'https://localhost')
    const [ann, bob] = [createSiteClient(origin), createSiteClient(origin)]
    await ann.register('ann', await server.setupCode())
    await bob.register('bob')
    const began = performance.now()
    const sent = await sendVideo(
      { origin, headers: { cookie: ann.cookie() } },
      { name: 'clip.mp4', bytes },
    )
    const uploadSeconds = (performance.now() - began) / 1000
    expect('the upload', sent.status, 200)
    const { videoId } = JSON.parse(sent.text) as { videoId: number }
    const liveMs = await timeLiveEvent({ origin, ann, bob, videoId })
    failures.push(...(await tryMedia(proxy, { origin, ann, videoId })))
    // Caddy counts what arrives; nginx believes what is announced.
    if (start === startNginx) {
      expect('a body that is too large', await offerTooMuch(proxy, ann.cookie()), 413)
    }
    expect('the sixteenth guess with a made-up address', await guess(origin), 429)
    const figures: Figure[] = [
      {
        what: `${proxy.name}: chunks sent, MB a second`,
        value: bytes.length / 1e6 / uploadSeconds,
      },
      { what: `${proxy.name}: a comment until its live event, ms`, value: Math.round(liveMs) },
    ]
    return { figures, failures }
  } finally {
    distrust()
    await proxy.stop()
    await server.remove()
  }
}

/** How long the first event of an open page is under way, after the comment that it is about. */
async function timeLiveEvent(input: {
  origin: string
  ann: SiteClient
  bob: SiteClient
  videoId: number
}): Promise<number> {
  const { origin, ann, bob, videoId } = input
  const open = await fetch(`${origin}/trpc/live.onChange`, {
    headers: { cookie: ann.cookie(), accept: 'text/event-stream' },
    signal: AbortSignal.timeout(LIVE_TIMEOUT_MS),
  })
  const reader = open.body?.pipeThrough(new TextDecoderStream()).getReader()
  const began = performance.now()
  const answer = await bob.comment(videoId, 'Well played')
  if (answer?.status !== 200) throw new Error(`The comment was answered ${answer?.text}`)
  for (let text = ''; !text.includes('"changed":"notifications"'); ) {
    const part = await reader?.read()
    if (!part || part.done) throw new Error('The line of live events was closed.')
    text += part.value
  }
  await reader?.cancel()
  return performance.now() - began
}

/** A part of the file, and the way that is for the proxy alone. */
async function tryMedia(
  proxy: DeployedProxy,
  input: { origin: string; ann: SiteClient; videoId: number },
): Promise<string[]> {
  const { origin, ann, videoId } = input
  const headers = { cookie: ann.cookie() }
  const video = await ann.get(`/api/videos/${videoId}`)
  const { videoUrl = '' } = video?.json<{ videoUrl: string }>() ?? {}
  const part = await fetch(origin + videoUrl, { headers: { ...headers, range: 'bytes=4-7' } })
  const failures: string[] = []
  const found = `${part.status} ${await part.text()}`
  if (found !== '206 ftyp') failures.push(`${proxy.name}: a part of the file was ${found}`)
  const inside = await fetch(origin + videoUrl.replace('/media', '/_media'), { headers })
  if (inside.status !== 404) failures.push(`${proxy.name}: its own way answered ${inside.status}`)
  return failures
}

/** @returns how a file is answered, before any of it is sent, that is larger than the site takes */
async function offerTooMuch({ ports, ca }: DeployedProxy, cookie: string): Promise<number> {
  const sending = request({
    ...{ host: 'localhost', port: ports.https, ca, path: '/api/uploads/chunk', method: 'POST' },
    headers: {
      ...{ cookie, 'content-type': 'multipart/form-data; boundary=b' },
      'content-length': TOO_LARGE_BYTES,
    },
  })
  sending.flushHeaders()
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  sending.on('error', () => {}).destroy()
  return answer.statusCode ?? 0
}

/** @returns how the last of many wrong passwords is answered, each sent as if from elsewhere */
async function guess(origin: string): Promise<number> {
  let status = 0
  for (let time = 0; time < GUESSES; time++) {
    const answer = await fetch(`${origin}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${time}` },
      body: JSON.stringify({ username: `nobody-${time}`, password: 'wrong one' }),
    })
    status = answer.status
  }
  return status
}

async function rateUnit(): Promise<TortureResult> {
  const words = ['security', '--offline=true', '--no-pager', UNIT]
  const { stdout } = await promisify(execFile)('systemd-analyze', words)
  const exposure = Number(/exposure level for clutch\.service: ([\d.]+)/.exec(stdout)?.[1])
  const failures = exposure <= EXPOSURE_MAX ? [] : [`The unit of systemd is rated ${exposure}.`]
  const what = 'exposure of the unit of systemd'
  return { figures: [{ what, value: exposure, limit: `at most ${EXPOSURE_MAX}` }], failures }
}
