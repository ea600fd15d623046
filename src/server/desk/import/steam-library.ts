import { realpath, stat } from 'node:fs/promises'
import { AppError, CommandError } from '#server/platform/errors.ts'
import type { Disk } from '#server/platform/files/disk.ts'
import type { TimelineMarker } from '#server/video/moment/moment.queries.ts'
import { readTimeline } from '#server/video/moment/steam-timeline.ts'
import { MAX_TIMELINE_BYTES } from '#shared/limits.ts'
import { readRecordingName } from '#shared/recording-name.ts'
import { categoryOf, describeVideo } from './describe-video.ts'
import type { ForeignProblem, ForeignVideo, ImportSource } from './foreign-library.ts'
import { readSmallFile } from './small-file.ts'
import { readSteamTitle } from './steam-clip-title.ts'
import { findSteamRecordings, type SteamPart, type SteamRecording } from './steam-folder.ts'
import { joinSteamSessions } from './steam-join.ts'
import { readSteamSession, type SteamSession } from './steam-segments.ts'
import { describeUnreadable, explainUnreadable } from './unreadable-file.ts'

const MANIFEST_BYTES_MAX = 64 * 1024
/** Steam's own title of a clip: 'Counter-Strike 2 - 2026-09-05 10:27:35 PM'. */
const GAME_IN_TITLE = /^(?<game>.+?) - \d{4}-\d\d-\d\d \d/
/** The length of a recording is an estimate. */
const END_SECONDS = 10

export const steam: ImportSource = {
  usage: 'FOLDER',

  async read({ path, categories, disk }) {
    const isFolder = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
    if (!isFolder) throw new CommandError(`There is no folder ${path}.`)
    const problems: ForeignProblem[] = []
    const recordings = await findSteamRecordings(await realpath(path), (folder) =>
      problems.push(describeUnreadable(folder)),
    )
    if (recordings.length === 0) throw new CommandError(`${path} has no recording of Steam.`)
    const videos = new Map<string, ForeignVideo>()
    for (const recording of recordings) {
      const read = await readRecording(recording, { categories, disk })
      problems.push(...read.problems)
      for (const video of read.videos) if (!videos.has(video.id)) videos.set(video.id, video)
    }
    return { videos: [...videos.values()], playlists: [], problems, notes: [] }
  },
}

type Found = SteamSession & SteamPart

async function readRecording(
  recording: SteamRecording,
  { categories, disk }: { categories: readonly string[]; disk: Disk },
): Promise<{ videos: ForeignVideo[]; problems: ForeignProblem[] }> {
  const { path } = recording
  const problems: ForeignProblem[] = []
  const explain = async <Result>(read: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await read()
    } catch (cause) {
      const error = explainUnreadable(cause, disk)
      if (!(error instanceof AppError)) throw error
      problems.push({ path, sentence: error.message })
      return undefined
    }
  }
  const sessions: Found[] = []
  for (const part of recording.sessions) {
    const session = await explain(() => readSteamSession(part.path))
    if (session) sessions.push({ ...session, ...part })
  }
  const markers = await explain(() => readMarkers(recording.timelines))
  const manifest = await explain(() => readSmallFile(recording.manifestPath, MANIFEST_BYTES_MAX))
  const title = readSteamTitle(manifest)
  const groups = groupByFormat(sessions)
  const videos = groups.map((group, index): ForeignVideo => {
    const number = groups.length === 1 ? '' : ` ${index + 1}`
    const described = describeRecording(recording, { title, number, categories })
    if (groups.length > 1) {
      described.notes.push(
        `Its size or format changes, so that it comes as ${groups.length} videos.`,
      )
    }
    if (group.some(({ hasOtherSound }) => hasOtherSound)) {
      described.notes.push('It comes with its first sound track only.')
    }
    const bytes = group.reduce(
      (sum, { picture, sound }) => sum + picture.bytes + (sound?.bytes ?? 0),
      0,
    )
    const changedAt = group.at(-1)?.changedAt ?? new Date()
    const open = () => joinSteamSessions(group, { disk, bytes })
    return {
      ...{ ...described, id: `${recording.name}${number}`, path: `${path}${number}`, views: 0 },
      fileName: `${recording.name}${number}.mp4`,
      publishedAt: (index === 0 ? undefined : group[0]?.startedAt) ?? recording.recordedAt,
      moments: placeMarkers(markers ?? [], group),
      findFile: async () => ({ bytes, changedAt, isMade: true, open }),
    }
  })
  return { videos, problems }
}

/** Sessions of the same format that follow each other become one video. */
function groupByFormat(sessions: Found[]): Found[][] {
  const groups: Found[][] = []
  for (const session of sessions) {
    const group = groups.at(-1)
    if (group?.[0]?.format === session.format && !group[0].sound === !session.sound)
      group.push(session)
    else groups.push([session])
  }
  return groups
}

/** A number of Steam that is no category gives no tag. */
function describeRecording(
  { name, game, path }: SteamRecording,
  { title, number, categories }: { title: string; number: string; categories: readonly string[] },
) {
  const category = game && categoryOf(game, categories)
  const named = category || GAME_IN_TITLE.exec(title)?.groups?.game
  const usual = readRecordingName(`${name}Z`, { categories })?.title ?? ''
  return describeVideo(
    {
      ...{ path, title: `${title || usual}${number}`, description: '', tags: [] },
      games: named ? [named] : [],
    },
    categories,
  )
}

type TimelineMarkers = { startedAt: Date; markers: TimelineMarker[] }

async function readMarkers(timelines: SteamPart[]): Promise<TimelineMarkers[]> {
  const read: TimelineMarkers[] = []
  for (const { path, startedAt } of timelines) {
    const bytes = await readSmallFile(path, MAX_TIMELINE_BYTES)
    if (startedAt && bytes) read.push({ startedAt, markers: readTimeline(bytes) })
  }
  return read
}

/** The clocks of a timeline and of a session begin at the times in their names. */
function placeMarkers(timelines: TimelineMarkers[], sessions: Found[]): TimelineMarker[] {
  let joinedSeconds = 0
  return sessions.flatMap(({ startedAt, firstSeconds, durationSeconds }) => {
    const before = joinedSeconds
    joinedSeconds += durationSeconds
    const timeline =
      startedAt && timelines.findLast((one) => one.startedAt.getTime() <= startedAt.getTime())
    if (!timeline) return []
    const behind = (startedAt.getTime() - timeline.startedAt.getTime()) / 1000
    return timeline.markers
      .map((marker) => ({ ...marker, atSeconds: marker.atSeconds - behind - firstSeconds }))
      .filter(({ atSeconds }) => atSeconds >= 0 && atSeconds <= durationSeconds + END_SECONDS)
      .map((marker) => ({ ...marker, atSeconds: marker.atSeconds + before }))
  })
}
