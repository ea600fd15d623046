import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { limitBitRate } from '#server/video/processing/encode/bit-rates.ts'
import {
  chooseQuality,
  planRenditionSizes,
  type RenditionSize,
} from '#server/video/processing/encode/rendition-size.ts'
import { segmentSeconds } from '#server/video/processing/encode/segment-clock.ts'
import { secondsOf } from './benchmark.ts'
import { HEIGHTS } from './media-jobs.ts'

type Source = {
  path: string
  /** Its largest size is copied, not encoded. */
  copiesLargest: boolean
}

const SIZE = { width: 1920, height: 1080 }
const RATES = { codec: 'h264', frameRate: 60, bitRate: 20_000_000, durationSeconds: 60 }

/** The version of the machine's `ffmpeg` command; undefined when it is not installed. */
export function findFfmpeg(): string | undefined {
  const { stdout, error } = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' })
  return error ? undefined : /version (\d+(\.\d+)*)/.exec(stdout)?.[1]
}

/** Makes the ladder of a 1080p60 recording in one pass, with the site's own settings; seconds. */
export async function runFfmpeg(source: Source, workFolder: string): Promise<number> {
  const folder = join(workFolder, 'ffmpeg')
  await mkdir(folder)
  const seconds = await secondsOf(async () => {
    const child = spawn('ffmpeg', argumentsOf(source, folder), {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    // As the site's own work runs.
    os.setPriority(child.pid as number, os.constants.priority.PRIORITY_LOW)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('The ffmpeg command failed.')
  })
  await rm(folder, { recursive: true })
  return seconds
}

function argumentsOf({ path, copiesLargest }: Source, folder: string): string[] {
  const sizes = planRenditionSizes(SIZE, HEIGHTS)
  const encoded = sizes.map((size, index) => ({ size, index })).slice(copiesLargest ? 1 : 0)
  const filters = [
    `[0:v]split=${encoded.length}${encoded.map(({ index }) => `[in${index}]`).join('')}`,
    ...encoded.map(
      ({ size: { width, height }, index }) =>
        `[in${index}]scale=${width}:${height}:flags=bicubic[v${index}]`,
    ),
  ]
  const pictures = sizes.flatMap((_, index) => [
    '-map',
    copiesLargest && index === 0 ? '0:v' : `[v${index}]`,
  ])
  return [
    ...['-v', 'error', '-i', path, '-filter_complex', filters.join(';')],
    ...pictures,
    ...sizes.flatMap(() => ['-map', '0:a:0']),
    ...(copiesLargest ? ['-c:v:0', 'copy'] : []),
    ...encoded.flatMap(({ size, index }) => encoderOptions(size, index)),
    ...(copiesLargest ? ['-c:a', 'copy'] : ['-c:a', 'aac', '-b:a', '160k']),
    ...['-f', 'hls', '-hls_time', `${segmentSeconds}`, '-hls_playlist_type', 'vod'],
    ...['-hls_segment_type', 'fmp4', '-hls_flags', 'single_file'],
    ...['-master_pl_name', 'hls.m3u8'],
    ...['-var_stream_map', sizes.map((_, index) => `v:${index},a:${index}`).join(' ')],
    join(folder, '%v.m3u8'),
  ]
}

function encoderOptions(size: RenditionSize, index: number): string[] {
  const maxRate = limitBitRate(size, RATES)
  const options = {
    'c:v': 'libx264',
    'preset:v': 'veryfast',
    'profile:v': 'high',
    'crf:v': chooseQuality(size),
    'maxrate:v': maxRate,
    'bufsize:v': maxRate * 2,
    'forced-idr:v': 1,
    'sc_threshold:v': 0,
    'g:v': 1200,
    'force_key_frames:v': `expr:gte(t,n_forced*${segmentSeconds})`,
  }
  return Object.entries(options).flatMap(([name, value]) => [`-${name}:${index}`, `${value}`])
}
