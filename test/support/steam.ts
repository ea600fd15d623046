import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClipOptions, makeClip } from './clips.ts'

export type MadeSession = {
  /** Such as `bg_730_20260828_204356`. */
  name: string
  seconds?: number
  /** Where the session's clock is at the first segment. */
  startSeconds?: number
  firstNumber?: number
  isSilent?: boolean
} & Pick<ClipOptions, 'width' | 'height' | 'solid'>

/** Writes the segments of one session of Steam's game recording, a second each. */
export async function writeSession(folder: string, session: MadeSession): Promise<string> {
  const {
    name,
    firstNumber = 1,
    isSilent = false,
    seconds = 3,
    startSeconds = 0,
    ...look
  } = session
  const target = join(folder, name)
  await mkdir(target, { recursive: true })
  const scratch = await mkdtemp(join(tmpdir(), 'clutch-steam-'))
  try {
    const common = { seconds, keyFrameSeconds: 1, ...look }
    const options: ClipOptions[] = [{ ...common, path: join(scratch, '0.mp4'), audioCodec: null }]
    if (!isSilent) options.push({ ...common, path: join(scratch, '1.mp4'), videoCodec: null })
    for (const [stream, one] of options.entries()) {
      await makeClip({
        ...one,
        muxerOptions: { movflags: 'empty_moov+default_base_moof', frag_duration: '1000000' },
      })
      const { head, segments } = splitSegments(await readFile(one.path))
      for (const segment of segments) moveClock(segment, startSeconds * timeScaleOf(head))
      await writeFile(join(target, `init-stream${stream}.m4s`), head)
      for (const [index, segment] of segments.entries()) {
        const number = String(index + firstNumber).padStart(5, '0')
        await writeFile(join(target, `chunk-stream${stream}-${number}.m4s`), segment)
      }
    }
    await writeFile(join(target, 'session.mpd'), '<?xml version="1.0"?><MPD/>')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return target
}

function splitSegments(file: Buffer): { head: Buffer; segments: Buffer[] } {
  const starts: number[] = []
  let end = 0
  for (let at = 0; at < file.length; at += file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8)
    if (type === 'mfra') break
    if (type === 'moof') starts.push(at)
    end = at + file.readUInt32BE(at)
  }
  const segments = starts.map((start, index) => file.subarray(start, starts[index + 1] ?? end))
  return { head: file.subarray(0, starts[0]), segments }
}

const timeScaleOf = (head: Buffer) => head.readUInt32BE(head.indexOf('mdhd') + 16)

/** FFmpeg writes 64 bits into `tfdt`. */
function moveClock(segment: Buffer, ticks: number): void {
  const at = segment.indexOf('tfdt') + 8
  segment.writeBigUInt64BE(segment.readBigUInt64BE(at) + BigInt(ticks), at)
}

/** Writes the timeline of Steam's game recording; times are milliseconds from the time in its name. */
export async function writeTimeline(
  folder: string,
  { name, entries }: { name: string; entries: object[] },
): Promise<void> {
  const target = join(folder, 'timelines')
  await mkdir(target, { recursive: true })
  const timeline = { daterecorded: '1787949811', starttime: '1787949811', entries, endtime: '0' }
  await writeFile(join(target, `${name}.json`), JSON.stringify(timeline))
}

/** `clip.pb` with a nested message, numbers and the title. */
export function clipManifest(title: string): Buffer {
  const text = Buffer.from(title)
  const nested = Buffer.from([0x0a, 0x04, 0x0a, 0x02, 0x61, 0x62])
  const numbers = Buffer.from([0x10, 0xfb, 0xcf, 0x05, 0x20, 0xda, 0x05])
  return Buffer.concat([
    nested,
    numbers,
    Buffer.from([0x3a, text.length]),
    text,
    Buffer.from([0x40, 0]),
  ])
}
