import { AV_PKT_FLAG_CORRUPT, AVERROR_EAGAIN } from 'node-av/constants'
import { type FormatContext, Packet, type Stream } from 'node-av/lib'
import {
  abandonMp4,
  addCopiedTrack,
  beginMp4,
  deliverTo,
  finishMp4,
  type Mp4Output,
  openMp4,
} from '../package/mp4-output.ts'
import { copyStream } from '../package/stream-copy.ts'
import { isPauseDue, pause } from '../pauses.ts'
import {
  closeSource,
  expectSeconds,
  openSound,
  openSource,
  type PacketSink,
  readPacket,
  type Source,
} from '../source/open-source.ts'
import { newTally, roundToMs, tallyEnd, tallyPacket } from '../source/packet-tally.ts'
import { decodingTime, isTimestamp, toSeconds } from '../timestamps.ts'
import type { JoinResult, JoinTask, Report } from './media-task.ts'

type Recording = {
  source: Source
  sound: { input: FormatContext; audio: Stream } | null
  fromSeconds: number
}

type Track = ReturnType<typeof addCopiedTrack>
type Tracks = { picture: Track; sound: Track | null }

/** Reads a recording up to its end or its first damaged or incomplete packet. */
export async function joinRecordings(
  { recordings, outputPath }: JoinTask,
  report: Report,
): Promise<JoinResult> {
  const [first] = recordings
  if (!first) throw new Error('There is nothing to join.')
  const model = await openRecording(first)
  const output = openMp4(
    outputPath,
    { kind: 'rewrite' },
    expectSeconds(model.source) * recordings.length,
  )
  let durationSeconds = 0
  try {
    const tracks: Tracks = {
      picture: addCopiedTrack(output, model.source.video),
      sound: model.sound && addCopiedTrack(output, model.sound.audio),
    }
    beginMp4(output)
    for (const [index, paths] of recordings.entries()) {
      const recording = index === 0 ? model : await openRecording(paths)
      durationSeconds += await copyRecording(recording, { output, tracks, at: durationSeconds })
      report((100 * (index + 1)) / recordings.length)
    }
  } catch (error) {
    abandonMp4(output)
    throw error
  }
  await finishMp4(output)
  return { durationSeconds: roundToMs(durationSeconds) }
}

async function openRecording({
  picturePath,
  soundPath,
}: JoinTask['recordings'][number]): Promise<Recording> {
  const source = await openSource(picturePath)
  const sound = soundPath === null ? null : await openSound(soundPath)
  const begins = [source.video, ...(sound ? [sound.audio] : [])]
    .filter(({ startTime }) => isTimestamp(startTime))
    .map(({ startTime, timeBase }) => toSeconds(startTime, timeBase))
  return { source, sound, fromSeconds: begins.length === 0 ? 0 : Math.min(...begins) }
}

/**
 * Closes the recording.
 * @returns its seconds
 */
async function copyRecording(
  { source, sound, fromSeconds }: Recording,
  { output, tracks, at }: { output: Mp4Output; tracks: Tracks; at: number },
): Promise<number> {
  const offsetSeconds = fromSeconds - at
  const sink = (stream: Stream, track: Track) =>
    copyStream(stream, {
      offsetSeconds,
      deliver: deliverTo(output, track, { interleaved: false }),
    })
  const picture = readerOf(source.video, {
    sink: sink(source.video, tracks.picture),
    read: (packet) => readPacket(source, packet),
  })
  const readers = [picture]
  if (sound && tracks.sound) {
    const { input, audio } = sound
    readers.push(
      readerOf(audio, {
        sink: sink(audio, tracks.sound),
        read: (packet) => input.readFrameSync(packet),
      }),
    )
  }
  for (const reader of readers) reader.next()
  for (;;) {
    const [earliest] = readers
      .filter(({ seconds }) => seconds() !== null)
      .sort((one, other) => (one.seconds() ?? 0) - (other.seconds() ?? 0))
    if (!earliest) break
    earliest.copy()
    earliest.next()
    if (isPauseDue()) await pause()
  }
  const [video, ...audio] = readers.map(({ tally }) => tally)
  closeSource(source)
  sound?.input.closeInputSync()
  return video && video.packets > 0 ? tallyEnd(video, audio) - fromSeconds : 0
}

function readerOf(
  stream: Stream,
  { sink, read }: { sink: PacketSink; read: (packet: Packet) => number },
) {
  const packet = new Packet()
  packet.alloc()
  const tally = newTally()
  let seconds: number | null = null
  return {
    tally,
    /** Time of the waiting packet; null at the end. */
    seconds: () => seconds,
    next() {
      packet.unref()
      let code = read(packet)
      while (code === AVERROR_EAGAIN || (code >= 0 && packet.streamIndex !== stream.index)) {
        packet.unref()
        code = read(packet)
      }
      const isWhole = code >= 0 && (packet.flags & AV_PKT_FLAG_CORRUPT) === 0
      seconds = isWhole ? toSeconds(decodingTime(packet), stream.timeBase) : null
      if (!isWhole) packet.free()
    },
    copy() {
      tallyPacket(tally, packet, stream)
      sink.push(packet)
    },
  }
}
