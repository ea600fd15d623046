import { AV_PKT_FLAG_DISCARD, AV_PKT_FLAG_KEY } from 'node-av/constants'
import { isTimestamp, toSeconds } from '../timestamps.ts'
import { closeSource, codecName, type OpenOptions, openSource, readPackets } from './open-source.ts'
import {
  newTally,
  type PacketTally,
  tallyEnd,
  tallyFrameRate,
  tallyPacket,
  tallyPictureEnd,
} from './packet-tally.ts'

/** In playback time. */
export type SourceAnalysis = {
  /** FFmpeg's name. */
  codec: string
  durationSeconds: number
  frameRate: number
  /** Measured on the picture. */
  bitRate: number
  firstPictureSeconds: number
  pictureEndSeconds: number
  lastPictureExtraSeconds: number
  /** Hidden by an edit list, but needed for decoding. */
  hasHiddenPictures: boolean
  keyFrameSeconds: number[]
  /** Not every key frame can start playback. */
  hasOpenGroups: boolean
  sounds: SoundAnalysis[]
}

export type SoundAnalysis = {
  startSeconds: number
  endSeconds: number
  longestGapSeconds: number
  /** 0 when unknown. */
  bitRate: number
}

export async function analyzeSource(path: string, options?: OpenOptions): Promise<SourceAnalysis> {
  const source = await openSource(path, options)
  const { video, audio, offsetSeconds } = source
  const codec = codecName(video)
  const pictures = newTally()
  const sounds = new Map(audio.map((one) => [one.index, newSoundTally()]))
  const keys: number[] = []
  let bytes = 0
  let hasOpenGroups = false
  let hasHiddenPictures = false
  let last = { start: Number.NEGATIVE_INFINITY, end: 0 }
  await readPackets(source, (packet) => {
    const stream = source.input.streams[packet.streamIndex]
    const time = isTimestamp(packet.pts) ? packet.pts : packet.dts
    if (!stream || !isTimestamp(time)) return
    const seconds = toSeconds(time, stream.timeBase) - offsetSeconds
    const sound = sounds.get(packet.streamIndex)
    if (sound) {
      noteSound(sound, seconds)
      sound.bytes += packet.size
      tallyPacket(sound.packets, packet, stream)
    }
    if (packet.streamIndex !== video.index) return
    tallyPacket(pictures, packet, stream)
    bytes += packet.size
    const end = seconds + toSeconds(packet.duration, video.timeBase)
    if (seconds >= last.start) last = { start: seconds, end }
    hasHiddenPictures ||= (packet.flags & AV_PKT_FLAG_DISCARD) !== 0
    if ((packet.flags & AV_PKT_FLAG_KEY) !== 0) keys.push(seconds)
    else if (seconds < (keys.at(-1) ?? seconds)) hasOpenGroups = true
  })
  closeSource(source)
  const pictureEndSeconds = tallyPictureEnd(pictures) - offsetSeconds
  const tallies = [...sounds.values()].map((sound) => sound.packets)
  const durationSeconds = tallyEnd(pictures, tallies) - offsetSeconds
  return {
    codec,
    durationSeconds,
    frameRate: tallyFrameRate(pictures),
    bitRate: averageBitRate(bytes, durationSeconds),
    firstPictureSeconds: pictures.firstSeconds - offsetSeconds,
    pictureEndSeconds,
    lastPictureExtraSeconds: pictureEndSeconds - last.end,
    hasHiddenPictures,
    keyFrameSeconds: keys,
    hasOpenGroups,
    sounds: [...sounds.values()].map((sound) => finishSound(sound, offsetSeconds)),
  }
}

type SoundTally = {
  packets: PacketTally
  lastSeconds: number | null
  longestGapSeconds: number
  bytes: number
}

function newSoundTally(): SoundTally {
  return { packets: newTally(), lastSeconds: null, longestGapSeconds: 0, bytes: 0 }
}

function noteSound(sound: SoundTally, seconds: number): void {
  const gap = sound.lastSeconds === null ? 0 : Math.abs(seconds - sound.lastSeconds)
  sound.longestGapSeconds = Math.max(sound.longestGapSeconds, gap)
  sound.lastSeconds = seconds
}

function finishSound(
  { packets, longestGapSeconds, bytes }: SoundTally,
  offset: number,
): SoundAnalysis {
  return {
    startSeconds: packets.firstSeconds - offset,
    endSeconds: packets.endSeconds - offset,
    longestGapSeconds,
    bitRate: averageBitRate(bytes, packets.endSeconds - packets.firstSeconds),
  }
}

function averageBitRate(bytes: number, seconds: number): number {
  return seconds > 0 ? Math.round((bytes * 8) / seconds) : 0
}
