import { qualityName } from '../source/source.ts'
import type { Player } from './player.ts'

type StatRow = {
  name: string
  value: string
  /** Gauge, 0 to 1. */
  share?: number
}

const SOURCE_NAMES = {
  hls: 'HLS',
  'native-hls': 'HLS (browser)',
  progressive: 'One MP4 file',
}
const FULL_BUFFER_SECONDS = 30
const FULL_SPEED = 100_000_000

export function readStats(player: Player): StatRow[] {
  const { core, options } = player
  const { video, source } = core
  const state = player.get()
  if (!video) return []
  const frames = video.getVideoPlaybackQuality?.()
  const ahead = bufferAhead(video)
  const bandwidth = source?.bandwidth()
  const pixels = Math.round(devicePixelRatio * 100) / 100
  const rows: (StatRow | false)[] = [
    { name: 'Video', value: String(options.videoId) },
    {
      name: 'Viewport',
      value: `${video.clientWidth}×${video.clientHeight}${pixels === 1 ? '' : ` ×${pixels}`}`,
    },
    {
      name: 'Resolution',
      value: `${video.videoWidth}×${video.videoHeight}${state.playing ? ` (${qualityName(state.playing)})` : ''}`,
    },
    !!frames && {
      name: 'Frames',
      value: `${frames.droppedVideoFrames} dropped of ${frames.totalVideoFrames}`,
    },
    { name: 'Frame rate', value: `${Math.round(100 / core.frameSeconds) / 100} per second` },
    { name: 'Source', value: state.source ? SOURCE_NAMES[state.source] : 'none' },
    !!state.playing?.bitRate && { name: 'Bit rate', value: megabits(state.playing.bitRate) },
    !!bandwidth && {
      name: 'Connection',
      value: megabits(bandwidth),
      share: Math.min(bandwidth / FULL_SPEED, 1),
    },
    {
      name: 'Buffer',
      value: `${ahead.toFixed(1)} s`,
      share: Math.min(ahead / FULL_BUFFER_SECONDS, 1),
    },
    { name: 'Volume', value: volumeText(player) },
    { name: 'Speed', value: `${video.playbackRate}×` },
    { name: 'Time', value: `${video.currentTime.toFixed(3)} of ${state.duration.toFixed(3)} s` },
  ]
  return rows.filter((row) => row !== false)
}

function volumeText(player: Player): string {
  const { volume, isMuted } = player.get()
  const { loudnessLufs } = player.core.surroundings
  const set = isMuted ? 'muted' : `${Math.round(volume * 100)}%`
  if (loudnessLufs === null) return set
  return `${set}, levelled to ${Math.round(player.levelling() * 100)}% (${loudnessLufs.toFixed(1)} LUFS)`
}

function bufferAhead({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index++) {
    const isHere = buffered.start(index) <= currentTime + 0.1 && currentTime <= buffered.end(index)
    if (isHere) return buffered.end(index) - currentTime
  }
  return 0
}

function megabits(bitsPerSecond: number): string {
  return `${(bitsPerSecond / 1_000_000).toFixed(1)} Mbit/s`
}
