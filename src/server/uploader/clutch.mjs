#!/usr/bin/env node
/**
 * Uploads recordings to a Clutch site from the computer that made them. Needs Node 20 or later and nothing else. It uses
 * only the calls that the site documents at /api/docs, so it is also an example of them.
 */

import { execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { homedir, hostname, uptime } from 'node:os'
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

/** The site that serves this file fills in its address. */
const SITE = ''

/** The command that messages show. Without the .mjs file, the program is an executable that contains Node. */
const COMMAND = process.argv[1]?.endsWith('.mjs') ? 'node clutch.mjs' : 'clutch'

const USAGE = `Usage:
  ${COMMAND} login                Connect this computer to your account
  ${COMMAND} up FILE...           Upload videos and print their links
  ${COMMAND} watch FOLDER         Upload each new recording of a folder
  ${COMMAND} logout               Disconnect this computer

For up and watch:
  --limit SPEED        Maximum bits per second, such as 10M or 800K
  --pause-in-game      Wait while a program fills the screen (Windows, and X11 with xprop)
  --visibility LEVEL   public, members, unlisted or private
  --category GAME      Instead of the game that the file's name says

For up:
  --title TITLE        Instead of the title that the file's name says (one file)
  --no-copy            Do not copy the links
  --no-early           Print the link once the video is there, not once its upload begins

For watch:
  --all                Also upload recordings that are in the folder already
  --every SECONDS      Seconds between checks of the folder, 10 by default

For login:
  --no-browser         Print the address instead of opening it
  --token              Ask for an API token, which you made under Settings

Always:
  --site ADDRESS       Use another site than the one that served this program

The token may also be in the environment variable CLUTCH_TOKEN.`

const EXIT = { done: 0, failed: 1, usage: 2, signedOut: 3, unreachable: 4 }

const VIDEO_ENDINGS = new Set(
  (
    '.mp4 .m4v .mov .qt .3gp .3g2 .mkv .webm .avi .divx .flv .f4v .ts .m2t .m2ts .mts .mpg .mpeg .m2p ' +
    '.vob .wmv .asf .ogv .ogm'
  ).split(' '),
)

const ANSWER_BYTES_MAX = 1024 * 1024
const ANSWER_TIMEOUT_MS = 60_000
/** The site examines the video before it answers. */
const COMPLETE_TIMEOUT_MS = 180_000
/** `up` waits this long for a site that cannot be reached. `watch` waits without a limit. */
const PATIENCE_MS = 60 * 60_000
const LONGEST_PAUSE_MS = 60_000
/** The rate limits of the site last ten seconds. A longer `Retry-After` has another reason. */
const SHORT_WAIT_SECONDS = 15
const SERVER_ERRORS_MAX = 3
/** The site reads this many chunks of one member at the same time. */
const CHUNKS_AT_ONCE_MAX = 4
/** The site allows two minutes for a chunk of 2 MiB. */
const SLOWEST_LIMIT = 250_000
/** A file is complete when its size, time and inode were the same this many times. */
const LOOKS = 3
/** `watch` waits this long after a failure that was caused by lack of space. */
const RETRY_MS = 10 * 60_000
/** How often the program checks whether a game still fills the screen. */
const SCREEN_EVERY_MS = 5000
/** `QUNS_BUSY`, which also is a game in a borderless window, and `QUNS_RUNNING_D3D_FULL_SCREEN`. */
const FULL_SCREEN_STATES = new Set(['2', '3'])
const WINDOWS_SCREEN_SCRIPT = `
Add-Type -Namespace Clutch -Name Shell -MemberDefinition '[DllImport("shell32.dll")] public static extern int SHQueryUserNotificationState(out int state);'
while ($true) {
  $state = 0
  [void][Clutch.Shell]::SHQueryUserNotificationState([ref] $state)
  [Console]::WriteLine($state)
  Start-Sleep -Seconds 5
}`
const SAMPLE_BYTES = 1024 * 1024
/** The first bytes of Matroska. */
const EBML = 0x1a45dfa3

/** An error response of the site. The message is the site's sentence. */
class Refusal extends Error {
  constructor(status, sentence, retryAfterSeconds) {
    super(sentence)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The site did not answer. */
class Unreachable extends Error {}

/** Ends the command with a sentence. */
class Stop extends Error {
  constructor(exitCode, sentence) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** A problem of one file, which does not affect other files. With `isForNow`, a later attempt may succeed. */
class FileProblem extends Error {
  constructor(sentence, { isForNow = false } = {}) {
    super(sentence)
    this.isForNow = isForNow
  }
}

async function main() {
  const { command, names, options } = readArguments(process.argv.slice(2))
  if (command === 'help') return print(USAGE)
  const site = await siteOf(options)
  const place = join(settingsFolder(), site.replace('://', '_').replaceAll(/[^\w.-]/g, '_'))
  const session = {
    site,
    place,
    token: undefined,
    isPatient: command === 'watch',
    pace: paceOf(options),
    screen: options['pause-in-game'] ? screenOf() : undefined,
  }
  if (command === 'login') return login(session, options)
  if (command === 'logout') return logout(session)
  session.token = await readToken(session)
  if (command === 'up') return upload(session, names, options)
  return watch(session, names, options)
}

function readArguments(given) {
  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  const options = {
    ...{ site: text, limit: text, visibility: text, category: text, title: text, every: text },
    ...{
      all: flag,
      'pause-in-game': flag,
      'no-copy': flag,
      'no-early': flag,
      'no-browser': flag,
      token: flag,
      help: { type: 'boolean', short: 'h' },
    },
  }
  let read
  try {
    read = parseArgs({ args: given, options, allowPositionals: true })
  } catch (error) {
    throw new Stop(EXIT.usage, `${error.message}\n\n${USAGE}`)
  }
  const [command = 'help', ...names] = read.positionals
  if (read.values.help || command === 'help') return { command: 'help' }
  const isRight = {
    login: names.length === 0,
    logout: names.length === 0,
    up: names.length > 0,
    watch: names.length === 1,
  }[command]
  if (!isRight) throw new Stop(EXIT.usage, USAGE)
  if (read.values.title !== undefined && names.length > 1) {
    throw new Stop(EXIT.usage, 'A title is for one file.')
  }
  return { command, names, options: read.values }
}

async function siteOf({ site }) {
  const address = site ?? (SITE || (await readJson(sitePath()))?.site)
  if (!address) throw new Stop(EXIT.usage, 'Say which site with --site https://clips.example.org.')
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) {
    throw new Stop(EXIT.usage, `${address} is not the address of a site.`)
  }
  return new URL(address).origin
}

/** Polls the site for the token until the member approves in the browser. */
async function login(session, options) {
  if (options.token) return keepToken(session, await ask('API token: '))
  const json = { name: deviceName() }
  const asked = await call(session, { path: '/api/device/code', json })
  const { deviceCode, userCode, verificationUriComplete: address, expiresIn, interval } = asked
  const isOpen = !options['no-browser'] && (await openBrowser(address))
  tell(isOpen ? 'Approve this computer in the browser.' : `Open this address: ${address}`)
  tell(`The code there must be ${userCode}.`)
  const endsAt = Date.now() + expiresIn * 1000
  while (Date.now() < endsAt) {
    await pause(interval * 1000)
    const answer = await call(session, { path: '/api/device/token', json: { deviceCode } }).catch(
      (error) => {
        if (error instanceof Refusal) throw new Stop(EXIT.signedOut, error.message)
        throw error
      },
    )
    if (answer.state === 'approved') return keepToken(session, answer.token)
  }
  throw new Stop(EXIT.signedOut, 'Nobody approved this computer in time.')
}

async function keepToken(session, token) {
  try {
    const { username } = await call({ ...session, token }, { path: '/api/user' })
    await writeJson(tokenPath(session), { token })
    if (!SITE) await writeJson(sitePath(), { site: session.site })
    tell(`This computer uploads as ${username} to ${session.site}.`)
  } catch (error) {
    if (error instanceof Refusal) throw new Stop(EXIT.signedOut, error.message)
    throw error
  }
}

async function logout(session) {
  const token = (await readJson(tokenPath(session)))?.token
  if (!token) throw new Stop(EXIT.signedOut, 'This computer is not signed in.')
  // The token was already revoked or has expired.
  await call({ ...session, token }, { method: 'DELETE', path: '/api/token' }).catch((error) => {
    if (error.status !== 401) throw error
  })
  await rm(tokenPath(session), { force: true })
  tell('This computer is signed out, and its token is revoked.')
}

/** Returns the name in the list of tokens, such as 'clutch on ANNS-PC'. */
function deviceName() {
  const host = hostname()
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .split('.')[0]
  return `clutch on ${host || process.platform}`.slice(0, 50).trim()
}

async function upload(session, names, options) {
  const links = []
  let hasFailed = false
  for (const name of names) {
    try {
      let link
      const onLink = (url) => {
        link = url
        print(url)
        links.push(url)
      }
      const { url, isKnown } = await uploadFile(session, resolve(name), {
        options,
        asksAgain: true,
        onLink: options['no-early'] ? undefined : onLink,
      })
      if (isKnown) tell(`${basename(name)} was uploaded before.`)
      if (url !== link) onLink(url)
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      tell(`${basename(name)}: ${error.message}`)
      hasFailed = true
    }
  }
  if (links.length > 0 && !options['no-copy'] && (await copy(links.join('\n')))) {
    tell(links.length === 1 ? 'The link is in your clipboard.' : 'The links are in your clipboard.')
  }
  return hasFailed ? EXIT.failed : EXIT.done
}

/** Polls the folder, because network shares lose change events. It runs until the process is killed. */
async function watch(session, [name], options) {
  const folder = await realpath(resolve(name)).catch(() => {
    throw new Stop(EXIT.usage, `There is no folder ${name}.`)
  })
  const everyMs = Number(options.every ?? 10) * 1000
  if (!(everyMs >= 100)) throw new Stop(EXIT.usage, '--every takes seconds, such as 10.')
  const before = await recordsBefore(session, folder, options)
  const uploaded = await listUploaded(session)
  const looks = new Map()
  let isLost = false
  tell(`Watching ${folder} for ${session.site}.`)
  for (;;) {
    const found = await listRecordings(folder).catch((error) => {
      if (!isLost) tell(`${folder} cannot be read (${error.code}). Waiting for it.`)
      return undefined
    })
    isLost = found === undefined
    for (const recording of found ?? []) {
      const look = lookAgain(looks, recording)
      if (look.count < LOOKS || look.isOver || Date.now() < look.retryAt) continue
      if (before(recording) || uploaded.has(recording.seen)) look.isOver = true
      else if (await isFree(recording.path))
        await uploadRecording(session, { recording, look, options })
    }
    if (found) {
      const paths = new Set(found.map(({ path }) => path))
      for (const path of looks.keys()) if (!paths.has(path)) looks.delete(path)
    }
    await pause(everyMs)
  }
}

/** Counts how many times in a row the file was unchanged. */
function lookAgain(looks, { path, seen }) {
  const known = looks.get(path)
  const look = known?.seen === seen ? known : { seen, count: 0, retryAt: 0, told: known?.told }
  look.count++
  looks.set(path, look)
  return look
}

/** A problem of one file is reported once, and the other files go on. */
async function uploadRecording(session, { recording, look, options }) {
  const { path, seen } = recording
  try {
    const { url, isKnown } = await uploadFile(session, path, { options, settled: seen })
    look.isOver = true
    if (isKnown) return
    tell(`${basename(path)} is uploaded.`)
    print(url)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    if (error.isForNow) look.retryAt = Date.now() + RETRY_MS
    else look.isOver = true
    if (look.told !== error.message) tell(`${basename(path)}: ${error.message}`)
    look.told = error.message
  }
}

/**
 * The recordings that were in the folder when it was first watched are not uploaded, except with `--all`. They are
 * recognised by name or inode, because shares give their files new inodes.
 * @returns whether a recording is one of them
 */
async function recordsBefore({ place }, folder, { all }) {
  const path = join(place, 'folders', `${createHash('sha256').update(folder).digest('hex')}.json`)
  const nameOf = (recording) => relative(folder, recording.path)
  let known = all ? {} : (await readJson(path))?.known
  if (!known) {
    const found = await listRecordings(folder)
    known = Object.fromEntries(found.map((recording) => [nameOf(recording), recording.seen]))
    if (found.length > 0)
      tell(
        `${found.length} recordings are there already and stay as they are. With --all, they are uploaded.`,
      )
  }
  await writeJson(path, { folder, known })
  const inodes = new Set(Object.values(known))
  const withoutInode = (seen = '') => seen.slice(seen.indexOf(':'))
  return (recording) =>
    inodes.has(recording.seen) ||
    withoutInode(known[nameOf(recording)]) === withoutInode(recording.seen)
}

/** Returns the looks of files that were uploaded or permanently refused, including those of earlier processes. */
async function listUploaded({ place }) {
  const folder = join(place, 'uploads')
  const names = await readdir(folder).catch(() => [])
  const seen = new Set()
  for (const name of names.filter((one) => one.endsWith('.json'))) {
    const record = await readJson(join(folder, name))
    if (record?.videoId || record?.problem) for (const one of record.seen) seen.add(one)
  }
  return seen
}

/**
 * Lists files in all subfolders, oldest first, without links and hidden files.
 * @throws if the folder itself cannot be read
 */
async function listRecordings(folder) {
  const found = []
  const entries = await readdir(folder, { withFileTypes: true })
  for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) found.push(...(await listRecordings(path).catch(() => [])))
    if (!entry.isFile() || !VIDEO_ENDINGS.has(extname(entry.name).toLowerCase())) continue
    const facts = await stat(path, { bigint: true }).catch(() => undefined)
    if (facts) found.push({ path, seen: seenOf(facts), modifiedAt: Number(facts.mtimeMs) })
  }
  return found.sort((one, other) => one.modifiedAt - other.modifiedAt)
}

/** Windows refuses to open a file for writing while a recorder writes it. */
async function isFree(path) {
  if (process.platform !== 'win32') return true
  try {
    await (await open(path, 'r+')).close()
    return true
  } catch (error) {
    return error.code !== 'EBUSY'
  }
}

/**
 * Uploads a file, or continues an earlier attempt. Its record is written before each step, so that the process may end at
 * any moment.
 * @param input.settled the look that the file must still have
 * @param input.asksAgain also uploads a file that was refused before, or whose video was deleted at the site
 * @returns the link, and whether the file was uploaded before
 * @throws FileProblem
 */
async function uploadFile(session, path, { options, settled, asksAgain = false, onLink }) {
  const file = await openFile(path)
  try {
    if (settled && file.seen !== settled) throw changedProblem()
    const recordPath = join(session.place, 'uploads', `${file.fingerprint}.json`)
    return await withLock(`${recordPath}.lock`, async () => {
      const record = (await readJson(recordPath)) ?? {}
      const save = (change) => writeJson(recordPath, Object.assign(record, change))
      await save({ name: file.name, seen: withSeen(record.seen, file.seen) })
      try {
        if (record.problem && !asksAgain) throw new FileProblem(record.problem)
        if (record.videoId && !(asksAgain && (await isGone(session, record.videoId)))) {
          return { url: linkOf(session, record.videoId), isKnown: true }
        }
        await save({ videoId: undefined, problem: undefined })
        const videoId = await sendFile(session, { file, record, save, options, onLink })
        await save({ videoId, uploadId: undefined, isOpening: undefined })
        return { url: linkOf(session, videoId), isKnown: false }
      } catch (error) {
        const problem = problemOf(error)
        if (!problem.isForNow) {
          await save({ problem: problem.message, uploadId: undefined, isOpening: undefined })
        }
        throw problem
      }
    })
  } finally {
    await file.handle.close()
  }
}

/** Adds a look to the last ones of files with this content, so that copies are recognised too. */
const withSeen = (known = [], seen) => [seen, ...known.filter((one) => one !== seen)].slice(0, 20)

const linkOf = ({ site }, videoId) => `${site}/video/${videoId}`

async function isGone(session, videoId) {
  try {
    await call(session, { path: `/api/videos/${videoId}` })
    return false
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return true
    throw error
  }
}

/** @returns the id of the video */
async function sendFile(session, job) {
  const { file, record, save } = job
  if (record.uploadId) {
    // If the answer to the last call was lost, the video exists already.
    const videoId = await complete(session, record.uploadId)
    if (videoId) return videoId
  }
  const opened = await openUpload(session, job)
  await save({ uploadId: opened.uploadId, isOpening: undefined })
  try {
    const index = job.onLink && file.size > opened.chunkSize ? await findIndex(file) : undefined
    const isEarly = index && (await openLink(session, opened.uploadId, job.onLink))
    await sendChunks(session, { file, opened, first: isEarly ? index : [] })
    await requireUnchanged(file)
  } catch (error) {
    const isOver =
      error instanceof FileProblem ||
      (error instanceof Refusal && [409, 410, 404].includes(error.status))
    if (isOver) {
      await save({ uploadId: undefined })
      await call(session, { method: 'DELETE', path: `/api/uploads/${opened.uploadId}` }).catch(
        () => {},
      )
    }
    throw error
  }
  const videoId = await complete(session, opened.uploadId)
  if (!videoId)
    throw new FileProblem('The site has lost a part of it. It is sent again.', { isForNow: true })
  return videoId
}

/**
 * Asks for the link of the video to be, which can be watched while it arrives.
 * @returns false if the site has none
 */
async function openLink(session, uploadId, onLink) {
  try {
    const { url } = await call(session, { path: `/api/uploads/${uploadId}/link`, json: {} })
    onLink(url)
    return true
  } catch (error) {
    if (error instanceof Refusal && [403, 404, 409].includes(error.status)) return false
    throw error
  }
}

/**
 * Where the index of the recording lies, if that is at the end: sent first, so that the recording
 * can be watched while the rest arrives.
 * @returns the first and last byte; nothing where it is not at the end; undefined for other kinds of files
 */
async function findIndex(file) {
  const read = async (at) => readBytes(file, at, Math.min(16, file.size - at))
  // Recorders write the cues of Matroska at the end.
  if ((await read(0)).readUInt32BE(0) === EBML) return [file.size - 1, file.size - 1]
  if ((await read(0)).toString('latin1', 4, 8) !== 'ftyp') return undefined
  for (let at = 0, boxes = 0; at + 16 <= file.size && boxes < 50; boxes++) {
    const head = await read(at)
    const shortSize = head.readUInt32BE(0)
    const size = shortSize === 1 ? Number(head.readBigUInt64BE(8)) : shortSize || file.size - at
    if (head.toString('latin1', 4, 8) === 'moov') return boxes > 1 ? [at, at + size - 1] : []
    if (size < 8) return []
    at += size
  }
  return []
}

/** @returns undefined if parts are missing or the upload has expired */
async function complete(session, uploadId) {
  try {
    const json = { uploadId, thumbnailUrl: null }
    const timeoutMs = COMPLETE_TIMEOUT_MS
    const { videoId } = await call(session, { path: '/api/uploads/complete', json, timeoutMs })
    return videoId
  } catch (error) {
    if (error instanceof Refusal && [404, 409, 410].includes(error.status)) return undefined
    throw error
  }
}

async function openUpload(session, { file, record, save, options }) {
  const metadata = await detailsOf(session, file, options)
  const { name: fileName, size: fileSize } = file
  const json = async () => {
    // If the answer to this call was lost, the upload is open at the site, where it counts as one of three.
    const resumeUploadId =
      record.uploadId ?? (record.isOpening ? await findOpenUpload(session, file) : undefined)
    await save({ isOpening: true })
    return { fileName, fileSize, metadata, resumeUploadId }
  }
  return call(session, { path: '/api/uploads/initialize', json })
}

async function findOpenUpload(session, { name, size }) {
  const open = await call(session, { path: '/api/uploads' })
  return open.find(({ fileName, fileSize }) => fileName === name && fileSize === size)?.id
}

async function detailsOf(session, file, { title, category, visibility }) {
  const suggested = await call(session, {
    path: '/api/uploads/suggest',
    json: {
      fileName: file.name,
      folder: dirname(file.path).split(sep).slice(-3).join('/').slice(-500),
      modifiedAt: file.modifiedAt,
      utcOffsetMinutes: -new Date(file.modifiedAt).getTimezoneOffset(),
    },
  })
  return {
    title: title ?? suggested.title,
    category: category ?? suggested.category ?? undefined,
    visibility,
  }
}

/** Sends chunks one after the other on a slow line, and up to four at once if each takes less than a second. */
async function sendChunks(session, { file, opened, first }) {
  const { uploadId, chunkSize, received } = opened
  const [from = 0, to = -1] = first.map((byte) => Math.floor(byte / chunkSize))
  const total = Math.ceil(file.size / chunkSize)
  const stored = new Set(received)
  const isFirst = (index) => index >= from && index <= to
  const waiting = Array.from({ length: total }, (_, index) => index)
    .filter((index) => !stored.has(index))
    .sort((one, other) => isFirst(other) - isFirst(one))
  const progress = showProgress(file, Math.min(file.size, stored.size * chunkSize))
  const underWay = new Set()
  let atOnce = 1
  let failure
  const send = async (index) => {
    const bytes = await readBytes(
      file,
      index * chunkSize,
      Math.min(chunkSize, file.size - index * chunkSize),
    )
    const startedAt = Date.now()
    const fields = { uploadId, chunkIndex: index, totalChunks: total }
    await call(session, {
      path: '/api/uploads/chunk',
      form: { fields, file: bytes },
      onSent: progress.add,
    })
    if (session.pace) return
    const isQuick = Date.now() - startedAt < 1000
    atOnce = Math.max(1, Math.min(CHUNKS_AT_ONCE_MAX, atOnce + (isQuick ? 1 : -1)))
  }
  try {
    while (underWay.size > 0 || (waiting.length > 0 && !failure)) {
      while (underWay.size < atOnce && waiting.length > 0 && !failure) {
        await session.screen?.untilFree()
        const work = send(waiting.shift())
          .catch((error) => {
            failure ??= error
          })
          .finally(() => underWay.delete(work))
        underWay.add(work)
      }
      await Promise.race(underWay)
    }
  } finally {
    progress.end()
  }
  if (failure) throw failure
}

/** @throws the error itself if it affects other files too */
function problemOf(error) {
  if (error instanceof FileProblem) return error
  if (!(error instanceof Refusal)) throw error
  switch (error.status) {
    case 401:
      throw new Stop(EXIT.signedOut, `${error.message} Sign in again: ${COMMAND} login`)
    case 403:
      throw new Stop(EXIT.signedOut, error.message)
    // The causes are the quota or the size limit, which can change, a full disk, or three open uploads.
    case 413:
    case 429:
    case 507:
      return new FileProblem(error.message, { isForNow: true })
    case 404:
    case 409:
    case 410:
      return new FileProblem(error.message, { isForNow: true })
    case 400:
    case 415:
    case 422:
      return new FileProblem(error.message)
    default:
      return new FileProblem(`${error.status}: ${error.message}`, { isForNow: true })
  }
}

/** @throws FileProblem */
async function openFile(path) {
  let handle
  try {
    handle = await open(path, 'r')
    const facts = await handle.stat({ bigint: true })
    if (facts.isDirectory()) throw new FileProblem('This is a folder. Use watch for folders.')
    if (!facts.isFile()) throw new FileProblem('This is not a file.')
    if (facts.size === 0n) throw new FileProblem('The file is empty.')
    const file = {
      ...{ handle, path, name: basename(path), size: Number(facts.size) },
      ...{ modifiedAt: Number(facts.mtimeMs), seen: seenOf(facts) },
    }
    return { ...file, fingerprint: await fingerprintOf(file) }
  } catch (error) {
    await handle?.close()
    throw fileProblem(error)
  }
}

function fileProblem(error) {
  const sentences = {
    ENOENT: 'There is no such file.',
    EACCES: 'The file may not be read.',
    EPERM: 'The file may not be read.',
    EBUSY: 'Another program is using the file.',
    EISDIR: 'This is a folder. Use watch for folders.',
  }
  if (error instanceof FileProblem || error.code === undefined) return error
  return new FileProblem(sentences[error.code] ?? `The file cannot be read (${error.code}).`, {
    isForNow: true,
  })
}

/** Returns the look of a file, which is equal as long as the file is not changed or replaced. */
const seenOf = ({ ino, size, mtimeMs }) => `${ino}:${size}:${mtimeMs}`

/** Returns a digest of size and three samples, which recognises the content under another name. */
async function fingerprintOf(file) {
  const hash = createHash('sha256').update(String(file.size))
  const last = Math.max(0, file.size - SAMPLE_BYTES)
  for (const start of new Set([0, Math.floor(last / 2), last])) {
    hash.update(await readBytes(file, start, Math.min(SAMPLE_BYTES, file.size - start)))
  }
  return hash.digest('hex')
}

async function readBytes({ handle }, start, length) {
  const bytes = Buffer.allocUnsafe(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle
      .read(bytes, filled, length - filled, start + filled)
      .catch((error) => {
        throw fileProblem(error)
      })
    if (bytesRead === 0) throw changedProblem()
    filled += bytesRead
  }
  return bytes
}

async function requireUnchanged({ handle, seen }) {
  if (seenOf(await handle.stat({ bigint: true })) !== seen) throw changedProblem()
}

const changedProblem = () =>
  new FileProblem('The file changed while it was uploaded. Upload it when it is complete.', {
    isForNow: true,
  })

const agents = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
}

/**
 * Calls the site, and retries with growing pauses while it cannot be reached.
 * @param request.json the body, or a function that makes it for each attempt
 * @throws Refusal, and Stop if the site stays unreachable
 */
async function call(session, request) {
  const startedAt = Date.now()
  let serverErrors = 0
  for (let tries = 0; ; tries++) {
    try {
      const json = typeof request.json === 'function' ? await request.json() : request.json
      const answer = await send(session, { ...request, json })
      session.isAway = false
      return answer
    } catch (error) {
      const isAway = error instanceof Unreachable || [502, 503, 504].includes(error.status)
      const isPassing = isAway || isBusy(error) || (error.status >= 500 && error.status !== 507)
      if (!isPassing) throw error
      if (!isAway && ++serverErrors > SERVER_ERRORS_MAX) throw error
      if (isAway && !session.isPatient && Date.now() - startedAt >= PATIENCE_MS) {
        throw new Stop(EXIT.unreachable, `${session.site} cannot be reached (${error.message}).`)
      }
      // An idle connection may just have been closed.
      if (isAway && tries > 0 && !session.isAway) {
        session.isAway = true
        tell(`${session.site} cannot be reached (${error.message}). Waiting for it.`)
      }
      const wishMs = (error.retryAfterSeconds ?? 0) * 1000
      await pause(Math.max(wishMs, Math.min(1000 * 2 ** tries, LONGEST_PAUSE_MS)))
    }
  }
}

function isBusy({ status, retryAfterSeconds = 0 }) {
  return status === 408 || (status === 429 && retryAfterSeconds <= SHORT_WAIT_SECONDS)
}

/** Sends one request. @returns the JSON of the answer */
function send({ site, token, pace }, request) {
  const { path, json, form, onSent = () => {}, timeoutMs = ANSWER_TIMEOUT_MS } = request
  const { body, type } = form ? multipart(form) : jsonBody(json)
  const method = request.method ?? (body ? 'POST' : 'GET')
  const url = new URL(path, site)
  const headers = {
    accept: 'application/json',
    'user-agent': `clutch.mjs (${process.platform})`,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': type, 'content-length': body.length }),
  }
  const options = { method, headers, agent: agents[url.protocol], timeout: timeoutMs }
  return new Promise((resolve, reject) => {
    const exchange = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options)
    let sent = 0
    const fail = (error) => {
      if (form) onSent(-sent)
      reject(error)
    }
    let goOn = () => {}
    for (const event of ['drain', 'close', 'error']) exchange.on(event, () => goOn())
    exchange.on('timeout', () => exchange.destroy(new Error('no answer')))
    exchange.on('error', (error) => fail(connectionError(error)))
    exchange.on('response', (response) => {
      readAnswer(response).then(resolve, fail)
    })
    const write = async () => {
      const step = pace ? pace.step : 64 * 1024
      for (let at = 0; at < body.length; at += step) {
        const piece = body.subarray(at, at + step)
        await pace?.wait(piece.length)
        if (exchange.destroyed) return
        if (!exchange.write(piece)) {
          await new Promise((resume) => {
            goOn = resume
          })
        }
        if (form) onSent(piece.length)
        sent += piece.length
      }
      exchange.end()
    }
    if (body) write().catch(fail)
    else exchange.end()
  })
}

/** An error of the certificate ends the program, because a retry cannot succeed. */
function connectionError(error) {
  const { code = '' } = error
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code)) {
    return new Stop(EXIT.unreachable, `The certificate of the site is not valid (${code}).`)
  }
  return new Unreachable(code || error.message)
}

async function readAnswer(response) {
  const pieces = []
  let length = 0
  try {
    for await (const piece of response) {
      length += piece.length
      if (length > ANSWER_BYTES_MAX) throw new Error('answer too long')
      pieces.push(piece)
    }
  } catch (error) {
    throw connectionError(error)
  }
  const text = Buffer.concat(pieces).toString('utf8')
  const { statusCode: status, headers } = response
  if (status >= 200 && status < 300) {
    if (text === '') return undefined
    try {
      return JSON.parse(text)
    } catch {
      throw new Stop(EXIT.unreachable, 'This address answers, but not as a Clutch site does.')
    }
  }
  if (status >= 300 && status < 400) {
    throw new Stop(
      EXIT.unreachable,
      `The site has moved to ${headers.location}. Download clutch.mjs from there.`,
    )
  }
  const isSentence = `${headers['content-type']}`.startsWith('text/plain') && text.length < 1000
  const retryAfter = Number(headers['retry-after'])
  throw new Refusal(
    status,
    isSentence ? text : `HTTP ${status}`,
    retryAfter > 0 ? retryAfter : undefined,
  )
}

function jsonBody(json) {
  if (json === undefined) return {}
  return { body: Buffer.from(JSON.stringify(json)), type: 'application/json' }
}

/** Encodes a form with one file, `chunk`. */
function multipart({ fields, file }) {
  const boundary = `clutch-${randomBytes(16).toString('hex')}`
  const texts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="chunk"; filename="chunk"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  const body = Buffer.concat([
    Buffer.from(texts.join('') + head),
    file,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

/** Sends data at an even rate, because a burst of 2 MiB would delay a game. @returns undefined without a limit */
function paceOf({ limit }) {
  if (limit === undefined) return undefined
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)([kmg]?)$/i.exec(limit) ?? []
  const bitsPerSecond = Number(number) * { '': 1, k: 1e3, m: 1e6, g: 1e9 }[unit.toLowerCase()]
  if (!(bitsPerSecond >= SLOWEST_LIMIT)) {
    throw new Stop(EXIT.usage, '--limit takes bits per second from 250K, such as 10M.')
  }
  let freeAt = 0
  return {
    /** Number of bytes that take a 50th of a second, within bounds. */
    step: Math.round(Math.min(64 * 1024, Math.max(1024, bitsPerSecond / 8 / 50))),
    async wait(bytes) {
      const now = Date.now()
      freeAt = Math.max(freeAt, now) + (bytes * 8000) / bitsPerSecond
      if (freeAt > now) await pause(freeAt - now)
    },
  }
}

function settingsFolder() {
  const { platform, env } = process
  if (platform === 'win32')
    return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Clutch')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Clutch')
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'clutch')
}

/** Path of the file with the site of the last login, for a program that was not downloaded from a site. */
const sitePath = () => join(settingsFolder(), 'site.json')

const tokenPath = ({ place }) => join(place, 'token.json')

async function readToken(session) {
  const token = process.env.CLUTCH_TOKEN || (await readJson(tokenPath(session)))?.token
  if (!token) throw new Stop(EXIT.signedOut, `Sign in first: ${COMMAND} login`)
  return token
}

/** @returns undefined if the file is missing or damaged */
async function readJson(path) {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes a file that only the user can read. It is replaced in one step, so it is never half written. */
async function writeJson(path, value) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  await writeFile(temporary, JSON.stringify(value), { mode: 0o600, flush: true })
  await rename(temporary, path)
}

/** Keeps two commands from sending the same file. @throws FileProblem while another command holds the lock */
async function withLock(path, work) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      if (await isHeld(path)) {
        throw new FileProblem('Another clutch.mjs is uploading this file.', { isForNow: true })
      }
      await rm(path, { force: true })
    }
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Checks whether the process that made the lock still runs. After a restart of the computer, its number may be reused. */
async function isHeld(path) {
  try {
    const pid = Number(await readFile(path, 'utf8'))
    const { mtimeMs } = await stat(path)
    // The file was just created, and its number is not written yet.
    if (pid === 0) return Date.now() - mtimeMs < 5000
    if (pid === process.pid || mtimeMs < Date.now() - uptime() * 1000) return false
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Writes a link to standard output. All other messages go to standard error. */
function print(text) {
  console.log(text)
}

let isLineOpen = false

function tell(text) {
  clearLine()
  console.error(text)
}

function clearLine() {
  if (isLineOpen) process.stderr.write('\r\x1b[K')
  isLineOpen = false
}

function showProgress({ name, size }, stored) {
  const startedAt = Date.now()
  let done = stored
  let shownAt = 0
  if (stored > 0) tell(`${name}: goes on at ${Math.floor((stored / size) * 100)} %.`)
  return {
    add(bytes) {
      done += bytes
      if (!process.stderr.isTTY || Date.now() - shownAt < 200) return
      shownAt = Date.now()
      const share = Math.max(0, Math.min(1, done / size))
      const perSecond = ((done - stored) * 1000) / Math.max(1, shownAt - startedAt)
      const facts = [
        `${Math.floor(share * 100)} %`,
        `${megabytes(share * size)} of ${megabytes(size)} MB`,
        `${((perSecond * 8) / 1e6).toFixed(1)} Mbit/s`,
        ...(perSecond > 0 ? [`${timeOf((size - done) / perSecond)} left`] : []),
      ]
      const room = (process.stderr.columns ?? 80) - 1
      process.stderr.write(`\r\x1b[K${`${facts.join(' · ')}  ${name}`.slice(0, room)}`)
      isLineOpen = true
    },
    end: clearLine,
  }
}

const megabytes = (bytes) => (bytes / (1024 * 1024)).toFixed(bytes < 10 * 1024 * 1024 ? 1 : 0)

function timeOf(seconds) {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 90 ? `${whole} s` : `${Math.round(whole / 60)} min`
}

/** @returns whether this system has a clipboard and took the text */
async function copy(text) {
  const { platform, env } = process
  const commands =
    platform === 'win32'
      ? [['clip']]
      : platform === 'darwin'
        ? [['pbcopy']]
        : [
            ...(env.WAYLAND_DISPLAY ? [['wl-copy']] : []),
            ...(env.DISPLAY
              ? [
                  ['xclip', '-selection', 'clipboard'],
                  ['xsel', '-ib'],
                ]
              : []),
          ]
  for (const [command, ...args] of commands) if (await run(command, args, text)) return true
  return false
}

/**
 * Tells whether a program fills the screen, which most often is a game.
 * @throws Stop where the system does not tell
 */
function screenOf() {
  const { platform, env } = process
  const isFull =
    platform === 'win32' ? followWindowsScreen() : env.DISPLAY ? isX11ScreenFull : undefined
  if (!isFull) {
    throw new Stop(EXIT.usage, '--pause-in-game: this system does not tell whether a game runs.')
  }
  return {
    async untilFree() {
      if (!(await isFull())) return
      tell('Waiting, as a program fills the screen.')
      while (await isFull()) await pause(SCREEN_EVERY_MS)
      tell('Going on.')
    },
  }
}

/** One PowerShell process prints the state again and again, because each start of it takes a second. */
function followWindowsScreen() {
  let state
  const child = spawn(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCREEN_SCRIPT],
    { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true },
  )
  child.on('error', () => tell('--pause-in-game: PowerShell could not be started.'))
  child.stdout.on('data', (text) => {
    state = String(text).trim().split(/\s+/).at(-1)
  })
  child.unref()
  child.stdout.unref()
  return () => FULL_SCREEN_STATES.has(state)
}

/** Asks the window manager, by https://specifications.freedesktop.org/wm/latest/ */
async function isX11ScreenFull() {
  const active = await read('xprop', ['-root', '_NET_ACTIVE_WINDOW'])
  const id = /0x[1-9a-f][0-9a-f]*/.exec(active)?.[0]
  if (!id) return false
  return (await read('xprop', ['-id', id, '_NET_WM_STATE'])).includes('_NET_WM_STATE_FULLSCREEN')
}

/** @returns whether there is a browser that may have opened it */
async function openBrowser(address) {
  const { platform, env } = process
  if (platform === 'win32') return run('rundll32', ['url.dll,FileProtocolHandler', address])
  if (platform === 'darwin') return run('open', [address])
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && run('xdg-open', [address])
}

async function ask(question) {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await lines.question(question)
  lines.close()
  return answer.trim()
}

/** @returns what the command printed, or nothing if it failed */
function read(command, args) {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 5000 }, (error, printed) => resolve(error ? '' : printed))
  })
}

/** @returns whether the command exists and succeeded within five seconds */
function run(command, args, input = '') {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: 5000 })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

try {
  process.exitCode = (await main()) ?? EXIT.done
} catch (error) {
  if (!(error instanceof Stop)) throw error
  tell(error.message)
  process.exitCode = error.exitCode
} finally {
  for (const agent of Object.values(agents)) agent.destroy()
}
