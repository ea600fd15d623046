import { join } from 'node:path'
import type { Stream } from 'node-av/lib'
import { type Deliver, openSoundEncoder } from '../encode/encoder.ts'
import type { TrackSource } from '../package/fragmented-output.ts'
import { pushSound } from '../package/hls-rendition.ts'
import { addCopiedTrack, beginMp4, deliverTo, openMp4 } from '../package/mp4-output.ts'
import { openSoundRendition, pushToSoundRendition } from '../package/sound-rendition.ts'
import { copyStream } from '../package/stream-copy.ts'
import { makeLoudnessMeter } from '../sound/loudness.ts'
import { makeSoundTranscoder, type SoundTranscoder } from '../sound/sound-transcoder.ts'
import { makeWaveformMeter } from '../sound/waveform.ts'
import type { PacketSink, Source } from '../source/open-source.ts'
import { readLanguage, readSoundName } from '../source/open-source.ts'
import { joinSinks, type SideFeed } from '../source/side-feed.ts'
import { openDecoder, type StreamDecoder } from '../source/stream-decoder.ts'
import { firstSoundNumber, soundFileName, soundRenditionFileName } from './ladder-files.ts'
import type { LadderOutputs, LadderSound, LadderSounds } from './ladder-parts.ts'
import { deliverToAll } from './ladder-parts.ts'
import type { LadderPlan } from './ladder-plan.ts'
import type { LadderTask } from './media-task.ts'

export function planSounds({ audio }: Source, plan: LadderPlan): LadderSounds {
  const meters = { loudness: makeLoudnessMeter(), waveform: makeWaveformMeter() }
  const [stream, ...streams] = audio
  const decoder = stream && openDecoder(stream)
  if (!stream || !decoder) return { first: null, others: [], ...meters }
  const others = streams.map((other, index) => {
    const bitRate = plan.soundBitRates[index + 1] ?? null
    return planSound(other, { bitRate, decoder: bitRate === null ? null : openDecoder(other) })
  })
  const bitRate = plan.soundBitRates[0] ?? null
  const first = { ...planSound(stream, { bitRate, decoder }), decoder }
  return { first, others, ...meters }
}

/** @param options.bitRate null to copy */
function planSound(
  stream: Stream,
  { bitRate, decoder }: { bitRate: number | null; decoder: StreamDecoder | null },
): LadderSound {
  const isCopied = bitRate === null
  const encoder = !isCopied && decoder ? openSoundEncoder(bitRate) : null
  const encoded = encoder && { encoder: encoder.context }
  const track = isCopied ? { copied: stream } : encoded
  const channels = isCopied ? stream.codecpar.channels : 2
  const facts = { language: readLanguage(stream), name: readSoundName(stream) }
  return { stream, ...facts, channels, track, decoder, encoder }
}

export function joinedTrack({ first }: LadderSounds, plan: LadderPlan): TrackSource | null {
  return plan.hasSoundApart ? null : (first?.track ?? null)
}

type Connected = { plan: LadderPlan; feed: SideFeed; sounds: LadderSounds; outputs: LadderOutputs }

export function connectSounds(task: LadderTask, input: Connected): void {
  const { feed, sounds, outputs } = input
  const { first, others } = sounds
  if (!first) return
  const { offsetSeconds } = feed.source
  const copies = ({ stream }: LadderSound): PacketSink[] => {
    if (!outputs.progressive) return []
    const track = addCopiedTrack(outputs.progressive, stream)
    const deliver = deliverTo(outputs.progressive, track, { interleaved: true })
    return [copyStream(stream, { offsetSeconds, deliver })]
  }
  const sinks = firstSoundSinks(task, input, first)
  feed.connect(first.stream.index, joinSinks([...sinks, ...copies(first)]))
  for (const [index, sound] of others.entries()) {
    const number = firstSoundNumber(task) + index + 1
    const sinks = [fileSink(task, input, { sound, number })]
    if (sound.track) sinks.push(streamSink(task, input, { sound, track: sound.track, number }))
    feed.connect(sound.stream.index, joinSinks([...sinks, ...copies(sound)]))
  }
}

function fileSink(
  { outputFolder }: LadderTask,
  { plan, feed, outputs }: Connected,
  { sound, number }: { sound: LadderSound; number: number },
): PacketSink {
  const path = join(outputFolder, soundFileName(number))
  const file = openMp4(path, { kind: 'rewrite' }, plan.durationSeconds)
  outputs.sounds.push(file)
  const deliver = deliverTo(file, addCopiedTrack(file, sound.stream), { interleaved: true })
  beginMp4(file)
  return copyStream(sound.stream, { offsetSeconds: feed.source.offsetSeconds, deliver })
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

function streamSink(
  task: LadderTask,
  { plan, feed, outputs }: Connected,
  { sound, track, number }: { sound: LadderSound; track: TrackSource; number: number },
): PacketSink {
  const deliver = openSoundPart(task, { plan, outputs }, { track, number })
  const { offsetSeconds } = feed.source
  const { stream, decoder, encoder } = sound
  if (!decoder || !encoder) return copyStream(stream, { offsetSeconds, deliver })
  const use = { encode: { encoder, deliver } }
  const sink = makeSoundTranscoder(stream, { decoder, offsetSeconds, use })
  return untilPictureEnds(sink, { plan, outputs })
}

/** Measured anyway; encoded unless copied. */
function firstSoundSinks(
  task: LadderTask,
  { plan, feed, sounds, outputs }: Connected,
  { stream, decoder, encoder, track }: LadderSound & { decoder: StreamDecoder },
): PacketSink[] {
  const { loudness, waveform } = sounds
  const { offsetSeconds } = feed.source
  const steps: Deliver[] = outputs.renditions.map((one) => pushSound.bind(null, one.rendition))
  const deliver =
    track !== null && plan.hasSoundApart
      ? openSoundPart(task, { plan, outputs }, { track, number: firstSoundNumber(task) })
      : deliverToAll(steps)
  const meters = [loudness, waveform]
  const use = encoder ? { meters, encode: { encoder, deliver } } : { meters }
  const sink = makeSoundTranscoder(stream, { decoder, offsetSeconds, use })
  if (encoder) return [untilPictureEnds(sink, { plan, outputs })]
  return [sink, copyStream(stream, { offsetSeconds, deliver })]
}

function untilPictureEnds(
  sink: SoundTranscoder,
  { plan, outputs }: Pick<Connected, 'plan' | 'outputs'>,
): PacketSink {
  return {
    push: sink.push,
    finish: async () => {
      const ends = outputs.renditions.map(({ rendition }) => rendition.pictureEndSeconds)
      await sink.lastUntil(Math.max(plan.picturesLast ? plan.pictureEndSeconds : 0, ...ends))
      await sink.finish()
    },
  }
}
