import { join } from 'node:path'
import type { CodecContext, Stream } from 'node-av/lib'
import { makeCopyLane } from './copy-lane.ts'
import { deliverToAll } from './deliver.ts'
import { type Deliver, type Encoder, openSoundEncoder } from './encoder.ts'
import { pushSound } from './hls-rendition.ts'
import type { LadderOutputs } from './ladder.ts'
import { soundFileName } from './ladder-files.ts'
import type { LadderPlan } from './ladder-plan.ts'
import type { Lane } from './lane.ts'
import { type LoudnessMeter, makeLoudnessMeter } from './loudness.ts'
import type { LadderTask } from './media-task.ts'
import { addCopiedTrack, beginMp4, deliverTo, openMp4 } from './mp4-output.ts'
import type { Source } from './open-source.ts'
import type { SideFeed } from './side-feed.ts'
import { makeSoundLane } from './sound-lane.ts'
import { openDecoder, type StreamDecoder } from './stream-decoder.ts'
import { readLanguage } from './track-language.ts'

/** What becomes of a video's sound tracks. */
export type LadderSounds = {
  /** The first track, which goes into every step; null when there is none that can be read. */
  track: { encoder: CodecContext } | { copied: Stream } | null
  encoder: Encoder | null
  first: { stream: Stream; decoder: StreamDecoder } | null
  /** Of the first track, ISO 639. */
  language: string | null
  /** Further tracks, each of which becomes a file of its own. */
  others: { stream: Stream; language: string | null }[]
  meter: LoudnessMeter
}

export function planSounds({ audio }: Source, plan: LadderPlan): LadderSounds {
  const [stream, ...others] = audio
  const decoder = stream && openDecoder(stream)
  const meter = makeLoudnessMeter()
  if (!stream || !decoder) {
    return { track: null, encoder: null, first: null, language: null, others: [], meter }
  }
  const encoder = plan.copiesSound ? null : openSoundEncoder()
  return {
    track: encoder ? { encoder: encoder.context } : { copied: stream },
    encoder,
    first: { stream, decoder },
    language: readLanguage(stream),
    others: others.map((other) => ({ stream: other, language: readLanguage(other) })),
    meter,
  }
}

/** Leads the sound tracks of the file that plays already to where they are wanted. */
export function connectSounds(
  task: LadderTask,
  input: { plan: LadderPlan; feed: SideFeed; sounds: LadderSounds; outputs: LadderOutputs },
): void {
  const { feed, sounds, outputs } = input
  const { first } = sounds
  if (!first) return
  const { offsetSeconds } = feed.source
  const copies = (stream: Stream): Lane[] => {
    if (!outputs.progressive) return []
    const track = addCopiedTrack(outputs.progressive, stream)
    const deliver = deliverTo(outputs.progressive, track, { interleaved: true })
    return [makeCopyLane(stream, { offsetSeconds, deliver })]
  }
  const lanes = [...firstSoundLanes(input, first), ...copies(first.stream)]
  feed.connect(first.stream.index, joinLanes(lanes))
  for (const [index, { stream }] of sounds.others.entries()) {
    const file = openMp4(join(task.outputFolder, soundFileName(index + 2)), { kind: 'rewrite' })
    outputs.sounds.push(file)
    const deliver = deliverTo(file, addCopiedTrack(file, stream), { interleaved: true })
    beginMp4(file)
    const own = makeCopyLane(stream, { offsetSeconds, deliver })
    feed.connect(stream.index, joinLanes([own, ...copies(stream)]))
  }
}

/** The first track is measured in any case, and encoded where it cannot be copied. */
function firstSoundLanes(
  { feed, sounds, outputs }: { feed: SideFeed; sounds: LadderSounds; outputs: LadderOutputs },
  { stream, decoder }: { stream: Stream; decoder: StreamDecoder },
): Lane[] {
  const { offsetSeconds } = feed.source
  const { encoder, meter } = sounds
  const steps: Deliver[] = outputs.renditions.map((one) => pushSound.bind(null, one.rendition))
  const deliver = deliverToAll(steps)
  const use = encoder ? { meter, encode: { encoder, deliver } } : { meter }
  const lane = makeSoundLane(stream, { decoder, offsetSeconds, use })
  const padded: Lane = {
    push: lane.push,
    finish: () => {
      const ends = outputs.renditions.map(({ rendition }) => rendition.pictureEndSeconds)
      lane.lastUntil(Math.max(0, ...ends))
      lane.finish()
    },
  }
  return encoder ? [padded] : [lane, makeCopyLane(stream, { offsetSeconds, deliver })]
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
