import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sizeOf } from '#server/platform/durable-files.ts'
import { WAVEFORM_FILE, WAVEFORM_RATE } from '#shared/waveform.ts'
import type {
  InspectedFile,
  LadderResult,
  LadderTask,
  MadeFile,
  TranscodeResult,
  TranscodeTask,
} from '../processing/tasks/media-task.ts'
import { runMediaTask } from '../processing/tasks/run-media-task.ts'
import type { HeldTask, RemoteResult } from './held-task.ts'
import { isComplete } from './output-files.ts'
import { outputKind } from './output-rules.ts'
import { pictureProblem, replaceText } from './text-outputs.ts'
import { ladderResultSchema, transcodeResultSchema } from './worker-protocol.ts'

/** For gigabytes on a slow disk. */
const INSPECT_TIMEOUT_MS = 10 * 60 * 1000
/** Seconds: a sound packet, or the last picture. */
const DURATION_SLACK = 1

type Checked = { result: RemoteResult } | { problem: string }
type Found = Map<string, InspectedFile | null>

/**
 * Compares an untrusted result with task, files and recording. A child process reads each file;
 * texts are rewritten.
 * @returns the result, or what is wrong
 */
export async function checkResult(held: HeldTask, answer: unknown): Promise<Checked> {
  const { task } = held
  const parsed =
    task.kind === 'ladder'
      ? ladderResultSchema.safeParse(answer)
      : transcodeResultSchema.safeParse(answer)
  if (!parsed.success) return { problem: 'its answer is not well-formed' }
  const result: RemoteResult = parsed.data
  const problem =
    task.kind === 'ladder'
      ? await ladderProblem(held, { task, result: parsed.data as LadderResult })
      : await transcodeProblem(held, { task, result: parsed.data as TranscodeResult })
  if (problem !== undefined) return { problem }
  return { result: 'files' in result ? await measureAgain(held, result) : result }
}

async function measureAgain({ folder }: HeldTask, result: LadderResult): Promise<LadderResult> {
  const files: MadeFile[] = []
  for (const file of result.files) {
    files.push({ ...file, bytes: (await sizeOf(join(folder, file.name))) ?? file.bytes })
  }
  return { ...result, files }
}

async function transcodeProblem(
  held: HeldTask,
  { task, result }: { task: TranscodeTask; result: TranscodeResult },
): Promise<string | undefined> {
  const name = basename(task.outputPath)
  if (!(await sizeOf(task.outputPath))) return 'the video was not sent'
  if (!isComplete(held, name)) return 'a part of the video was not sent'
  const found = await inspectAll(held, {
    recording: task.sourcePath,
    files: [{ name, kind: 'video' }],
  })
  const file = found.get(name)
  return (
    videoProblem({ name, file, found }) ??
    sizeProblem({ name, file, said: result }) ??
    lengthProblem({ name, seconds: result.durationSeconds, found })
  )
}

async function ladderProblem(
  held: HeldTask,
  { task, result }: { task: LadderTask; result: LadderResult },
): Promise<string | undefined> {
  const { files } = result
  const sizes = new Map(files.map(({ name, bytes }) => [name, bytes]))
  const named = (await namedProblem(held, files)) ?? factsProblem(result)
  if (named) return named
  const found = await inspectAll(held, {
    recording: task.playablePath,
    files: files.flatMap(({ name, kind }) => {
      const isVideo = kind === 'video' || kind === 'rendition' || kind === 'share'
      return isVideo || kind === 'sound' ? [{ name, kind: isVideo ? 'video' : 'sound' }] : []
    }),
  })
  const seconds = result.durationSeconds
  const length = lengthProblem({ name: 'the result', seconds, found })
  if (length) return length
  for (const file of files) {
    const problem = await fileProblem(held, { ...file, sizes, result, found })
    if (problem) return problem
  }
  for (const said of result.renditions) {
    const problem = sizeProblem({ name: said.file, file: found.get(said.file), said })
    if (problem) return problem
  }
  return undefined
}

async function namedProblem(held: HeldTask, files: MadeFile[]): Promise<string | undefined> {
  const arrived = await readdir(held.folder)
  const names = new Set(files.map(({ name }) => name))
  if (names.size !== files.length) return 'it names a file twice'
  const surplus = arrived.find((name) => !names.has(name))
  if (surplus) return `it sent a file that it does not name, ${surplus}`
  for (const { name, kind, bytes } of files) {
    if (outputKind(held.task, name) !== kind)
      return `it names a file that the work does not make, ${name}`
    if ((await sizeOf(join(held.folder, name))) !== bytes)
      return `${name} is not as long as it says`
    if (!isComplete(held, name)) return `a part of ${name} was not sent`
  }
  return undefined
}

function factsProblem(result: LadderResult): string | undefined {
  const kinds = new Map(result.files.map(({ name, kind }) => [name, kind]))
  const wanted: [string | null, MadeFile['kind']][] = [
    [result.masterFile, 'playlist'],
    [result.progressiveFile, 'video'],
    [result.storyboardFile, 'storyboard'],
    [result.cardFile, 'picture'],
    [result.share === 'file' ? 'share.mp4' : null, 'share'],
    ...result.soundTracks.map(({ file }): [string, MadeFile['kind']] => [file, 'sound']),
    ...result.renditions.flatMap(({ file, playlistFile }): [string, MadeFile['kind']][] => [
      [file, 'rendition'],
      [playlistFile, 'playlist'],
    ]),
  ]
  const wrong = wanted.find(([name, kind]) => name !== null && kinds.get(name) !== kind)
  return wrong && `${wrong[0]} was not sent`
}

async function fileProblem(
  { folder }: HeldTask,
  file: MadeFile & { sizes: Map<string, number>; result: LadderResult; found: Found },
): Promise<string | undefined> {
  const { name, kind, bytes, sizes, result, found } = file
  switch (kind) {
    case 'playlist':
      return replaceText(folder, { name, sizes, result })
    case 'storyboard':
      // Any bytes of that length are a waveform.
      if (name === WAVEFORM_FILE) return waveformProblem({ bytes, seconds: result.durationSeconds })
      return name.endsWith('.vtt')
        ? replaceText(folder, { name, sizes, result })
        : pictureProblem(folder, { name, bytes })
    case 'picture':
      return pictureProblem(folder, { name, bytes })
    case 'sound':
      return found.get(name) ? undefined : `${name} is no sound`
    default:
      return videoProblem({ name, file: found.get(name), found })
  }
}

function waveformProblem({ bytes, seconds }: { bytes: number; seconds: number }) {
  const isLong = bytes > (seconds + DURATION_SLACK) * WAVEFORM_RATE
  return isLong ? `${WAVEFORM_FILE} is longer than the recording` : undefined
}

/** Key of the recording itself. */
const RECORDING = ''

async function inspectAll(
  { folder, over }: HeldTask,
  input: { recording: string; files: { name: string; kind: 'video' | 'sound' | string }[] },
): Promise<Found> {
  const files = input.files.map(({ name, kind }) => ({
    name,
    path: join(folder, name),
    kind: kind === 'sound' ? ('sound' as const) : ('video' as const),
  }))
  const all = [{ name: RECORDING, path: input.recording, kind: 'video' as const }, ...files]
  const task = { kind: 'inspect' as const, files: all.map(({ path, kind }) => ({ path, kind })) }
  const { files: found } = await runMediaTask(task, { timeoutMs: INSPECT_TIMEOUT_MS, signal: over })
  return new Map(all.map(({ name }, index) => [name, found[index] ?? null]))
}

function videoProblem(input: {
  name: string
  file: InspectedFile | null | undefined
  found: Found
}): string | undefined {
  const { name, file, found } = input
  if (file?.container !== 'mp4') return `${name} is no MP4 with a picture`
  const [picture, ...sounds] = file.codecs
  const isForBrowsers = picture === 'h264' && sounds.every((codec) => codec === 'aac')
  if (!isForBrowsers && !isCopied(file, found)) {
    return `${name} holds ${file.codecs.join(' and ')}, which browsers need not play`
  }
  return lengthProblem({ name, seconds: file.durationSeconds, found })
}

/** Playable recordings, in any codec. */
function isCopied({ codecs }: InspectedFile, found: Found): boolean {
  const known = new Set(found.get(RECORDING)?.codecs)
  return codecs.every((codec) => known.has(codec) || codec === 'aac' || codec === 'h264')
}

function sizeProblem(input: {
  name: string
  file: InspectedFile | null | undefined
  said: { width: number; height: number }
}): string | undefined {
  const { name, file, said } = input
  if (file?.width === said.width && file.height === said.height) return undefined
  return `${name} is ${file?.width}x${file?.height}, not ${said.width}x${said.height}`
}

function lengthProblem(input: { name: string; seconds: number; found: Found }): string | undefined {
  const { found, seconds } = input
  const recorded = found.get(RECORDING)?.durationSeconds
  if (recorded === undefined || Math.abs(seconds - recorded) <= DURATION_SLACK) return undefined
  // It may be longer than the picture.
  const isApart = [...found.keys()].some((name) => name.startsWith('sound-'))
  if (isApart && seconds < recorded) return undefined
  return `${input.name} lasts ${input.seconds.toFixed(1)} seconds, the recording ${recorded.toFixed(1)}`
}
