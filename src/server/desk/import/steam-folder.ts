/** How Steam's game recording lays out its folders. */
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { CommandError } from '#server/platform/errors.ts'
import { listEntries, type OnUnreadable } from './unreadable-file.ts'

/** `userdata/1/gamerecordings/clips/clip_730_…/video/bg_730_…` */
const DEPTH_MAX = 8
const FOLDERS_MAX = 20_000
const NAME = /^(?:clip|bg|fg)_(?<game>\d+)_(?<date>\d{8})_(?<time>\d{6})$/
const TIMELINE = /^timeline_\d+(?<date>\d{8})_(?<time>\d{6})\.json$/

export type SteamRecording = {
  name: string
  /** Path relative to the named folder. */
  path: string
  game: string | undefined
  recordedAt: Date | undefined
  /** Folders of the sessions, in their order. */
  sessions: SteamPart[]
  timelines: SteamPart[]
  /** May not exist. */
  manifestPath: string
}

/** A file or folder with the time at which it begins, from its name. */
export type SteamPart = { path: string; startedAt: Date | undefined }

/**
 * Finds clips, and sessions that are no part of a clip. Follows no links.
 * @param onUnreadable is called with folders below it that cannot be read
 * @throws CommandError for more than 20,000 folders
 */
export async function findSteamRecordings(
  root: string,
  onUnreadable: OnUnreadable,
): Promise<SteamRecording[]> {
  const recordings = new Map<string, SteamRecording>()
  let folders = 0
  const visit = async (folder: string, depth: number) => {
    folders++
    if (folders > FOLDERS_MAX) {
      throw new CommandError(`${root} has more than ${FOLDERS_MAX.toLocaleString('en')} folders.`)
    }
    const entries = await listEntries(root, relative(root, folder), onUnreadable)
    if (entries.some(({ name }) => /^(?:init-stream0\.m4s|session\.mpd)$/.test(name))) {
      const owner = ownerOf(folder, root)
      const known = recordings.get(owner) ?? (await describe(owner, root))
      known.sessions.push({ path: folder, startedAt: timeIn(NAME, basename(folder)) })
      recordings.set(owner, known)
      return
    }
    if (depth === DEPTH_MAX) return
    for (const entry of entries) {
      if (entry.isDirectory()) await visit(join(folder, entry.name), depth + 1)
    }
  }
  await visit(root, 0)
  const found = [...recordings.values()]
  for (const { sessions } of found) sessions.sort(byTime)
  return found.sort(
    (one, other) => (one.recordedAt?.getTime() ?? 0) - (other.recordedAt?.getTime() ?? 0),
  )
}

/** A session belongs to the clip in whose folder `video` it is, or is a recording of its own. */
function ownerOf(session: string, root: string): string {
  const clip = dirname(dirname(session))
  const isIn = !relative(root, clip).startsWith('..')
  return isIn && basename(clip).startsWith('clip_') ? clip : session
}

async function describe(folder: string, root: string): Promise<SteamRecording> {
  const isClip = basename(folder).startsWith('clip_')
  const timelineFolder = isClip ? join(folder, 'timelines') : join(folder, '..', '..', 'timelines')
  const isIn = !relative(root, timelineFolder).startsWith('..')
  const name = basename(folder)
  return {
    ...{ name, path: relative(root, folder) || name, sessions: [] },
    game: NAME.exec(name)?.groups?.game,
    recordedAt: timeIn(NAME, name),
    timelines: isIn ? await listTimelines(timelineFolder) : [],
    manifestPath: join(folder, 'clip.pb'),
  }
}

async function listTimelines(folder: string): Promise<SteamPart[]> {
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => TIMELINE.test(name))
    .map((name) => ({ path: join(folder, name), startedAt: timeIn(TIMELINE, name) }))
    .sort(byTime)
}

/** Steam's names have times in UTC. */
function timeIn(pattern: RegExp, name: string): Date | undefined {
  const { date, time } = pattern.exec(name)?.groups ?? {}
  if (date === undefined || time === undefined) return undefined
  const day = date.replace(/^(\d{4})(\d\d)/, '$1-$2-')
  const at = new Date(`${day}T${time.replace(/^(\d\d)(\d\d)/, '$1:$2:')}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

const byTime = (one: SteamPart, other: SteamPart) =>
  (one.startedAt?.getTime() ?? 0) - (other.startedAt?.getTime() ?? 0)
