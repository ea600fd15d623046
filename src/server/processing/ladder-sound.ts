import { join } from 'node:path'
import type { Stream } from 'node-av/lib'
import { makeCopyLane } from './copy-lane.ts'
import { deliverToAll } from './deliver.ts'
import { type Deliver, type Encoder, openSoundEncoder } from './encoder.ts'
import type { TrackSource } from './fragmented-output.ts'
import { pushSound } from './hls-rendition.ts'
import type { LadderOutputs } from './ladder.ts'
import { soundFileName, soundRenditionFileName } from './ladder-files.ts'
import type { LadderPlan } from './ladder-plan.ts'
import type { Lane } from './lane.ts'
import { type LoudnessMeter, makeLoudnessMeter } from './loudness.ts'
import type { LadderTask } from './media-task.ts'
import { addCopiedTrack, beginMp4, deliverTo, openMp4 } from './mp4-output.ts'
import type { Source } from './open-source.ts'
import type { SideFeed } from './side-feed.ts'
import { makeSoundLane, type SoundLane } from './sound-lane.ts'
import { openSoundRendition, pushToSoundRendition } from './sound-rendition.ts'
import { openDecoder, type StreamDecoder } from './stream-decoder.ts'
import { readLanguage } from './track-language.ts'

/** One of a video's sound tracks, and how it comes into the stream. */
export type LadderSound = {
  stream: Stream
  /** ISO 639. */
  language: string | null
  /** In the stream. */
  channels: number
  /** What the stream's track is made of; null when that cannot be read. */
  track: TrackSource | null
  decoder: StreamDecoder | null
  /** Null for what is copied. */
  encoder: Encoder | null
}

/** What becomes of a video's sound tracks. */
export type LadderSounds = {
  /** The first track, which goes into every step where it is the only one; null when there is none that can be read. */
  first: (LadderSound & { decoder: StreamDecoder }) | null
  /** Further tracks, each of which becomes files of its own. */
  others: LadderSound[]
  meter: LoudnessMeter
}

export function planSounds({ audio }: Source, plan: LadderPlan): LadderSounds {
  const meter = makeLoudnessMeter()
  const [stream, ...streams] = audio
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) return { first: null, others: [], meter }
  const others = streams.map((other, index) => {
    const bitRate = plan.soundBitRates[index + 1] ?? null
    return planSound(other, { bitRate, decoder: bitRate === null ? null : openDecoder(other) })
  })
  const bitRate = plan.soundBitRates[0] ?? null
  const first = { ...planSound(stream, { bitRate, decoder }), decoder }
  return { first, others, meter }
}

/** @param options.bitRate to encode at; null for what is copied */
function planSound(
  stream: Stream,
  { bitRate, decoder }: { bitRate: number | null; decoder: StreamDecoder | null },
): LadderSound {
  const isCopied = bitRate === null
  const encoder = !isCopied && decoder ? openSoundEncoder(bitRate) : null
  const encoded = encoder && { encoder: encoder.context }
  const track = isCopied ? { copied: stream } : encoded
  const channels = isCopied ? stream.codecpar.channels : 2
  return { stream, language: readLanguage(stream), channels, track, decoder, encoder }
}

/** What goes into every step beside the picture; null where there are several tracks to choose from, or none. */
export function joinedTrack({ first, others }: LadderSounds): TrackSource | null {
  return others.length === 0 ? (first?.track ?? null) : null
}

type Connected = { plan: LadderPlan; feed: SideFeed; sounds: LadderSounds; outputs: LadderOutputs }

/** Leads the sound tracks of the file that plays already to where they are wanted. */
export function connectSounds(task: LadderTask, input: Connected): void {
  const { feed, sounds, outputs } = input
  const { first, others } = sounds
  if (!first) return
  const { offsetSeconds } = feed.source
  const copies = ({ stream }: LadderSound): Lane[] => {
    if (!outputs.progressive) return []
    const track = addCopiedTrack(outputs.progressive, stream)
    const deliver = deliverTo(outputs.progressive, track, { interleaved: true })
    return [makeCopyLane(stream, { offsetSeconds, deliver })]
  }
  const lanes = firstSoundLanes(task, input, first)
  feed.connect(first.stream.index, joinLanes([...lanes, ...copies(first)]))
  for (const [index, sound] of others.entries()) {
    const number = index + 2
    const lanes = [fileLane(task, input, { sound, number })]
    if (sound.track) lanes.push(streamLane(task, input, { sound, track: sound.track, number }))
    feed.connect(sound.stream.index, joinLanes([...lanes, ...copies(sound)]))
  }
}

/** A further track as a file that plays by itself, beside the progressive one. */
function fileLane(
  { outputFolder }: LadderTask,
  { feed, outputs }: Connected,
  { sound, number }: { sound: LadderSound; number: number },
): Lane {
  const file = openMp4(join(outputFolder, soundFileName(number)), { kind: 'rewrite' })
  outputs.sounds.push(file)
  const deliver = deliverTo(file, addCopiedTrack(file, sound.stream), { interleaved: true })
  beginMp4(file)
  return makeCopyLane(sound.stream, { offsetSeconds: feed.source.offsetSeconds, deliver })
}

function openSoundPart(
  { outputFolder }: LadderTask,
  { plan, outputs }: Pick<Connected, 'plan' | 'outputs'>,
  { track, number }: { track: TrackSource; number: number },
): Deliver {
  const path = join(outputFolder, soundRenditionFileName(number))
  const rendition = openSoundRendition(path, { sound: track, starts: plan.starts })
  outputs.soundRenditions.push({ number, rendition })
  return pushToSoundRendition.bind(null, rendition)
}

/** A further track as a part of the adaptive stream. */
function streamLane(
  task: LadderTask,
  { plan, feed, outputs }: Connected,
  { sound, track, number }: { sound: LadderSound; track: TrackSource; number: number },
): Lane {
  const deliver = openSoundPart(task, { plan, outputs }, { track, number })
  const { offsetSeconds } = feed.source
  const { stream, decoder, encoder } = sound
  if (!decoder || !encoder) return makeCopyLane(stream, { offsetSeconds, deliver })
  const use = { encode: { encoder, deliver } }
  return untilPictureEnds(makeSoundLane(stream, { decoder, offsetSeconds, use }), outputs)
}

/** The first track is measured in any case, and encoded where it cannot be copied. */
function firstSoundLanes(
  task: LadderTask,
  { plan, feed, sounds, outputs }: Connected,
  { stream, decoder, encoder, track }: LadderSound & { decoder: StreamDecoder },
): Lane[] {
  const { meter, others } = sounds
  const { offsetSeconds } = feed.source
  const steps: Deliver[] = outputs.renditions.map((one) => pushSound.bind(null, one.rendition))
  const isOneOfSeveral = track !== null && others.length > 0
  const deliver = isOneOfSeveral
    ? openSoundPart(task, { plan, outputs }, { track, number: 1 })
    : deliverToAll(steps)
  const use = encoder ? { meter, encode: { encoder, deliver } } : { meter }
  const lane = makeSoundLane(stream, { decoder, offsetSeconds, use })
  if (encoder) return [untilPictureEnds(lane, outputs)]
  return [lane, makeCopyLane(stream, { offsetSeconds, deliver })]
}

/** A sound that ends earlier goes on in silence. */
function untilPictureEnds(lane: SoundLane, { renditions }: LadderOutputs): Lane {
  return {
    push: lane.push,
    finish: () => {
      const ends = renditions.map(({ rendition }) => rendition.pictureEndSeconds)
      lane.lastUntil(Math.max(0, ...ends))
      lane.finish()
    },
  }
}

/** Each lane gets a packet of its own, because lanes change them. */
function joinLanes(lanes: Lane[]): Lane {
  return {
    push: (packet) => {
      for (const lane of lanes) {
        const copy = packet.clone()
        if (!copy) throw new Error('A packet could not be kept.')
        lane.push(copy)
        copy.free()
      }
    },
    finish: () => {
      for (const lane of lanes) lane.finish()
    },
  }
}
