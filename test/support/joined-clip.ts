import { AVMEDIA_TYPE_VIDEO } from 'node-av/constants'
import { Dictionary, FormatContext, Packet, type Stream } from 'node-av/lib'

type Held = { packet: Packet; stream: Stream }

type Joining = {
  part: string
  times: number
  /** Length of the part. */
  seconds: number
  /** After this time only key frames of the picture are kept; everything by default. */
  wholeSeconds?: number
}

/** Repeats a clip without decoding it, in the container that the name of `path` gives. @returns the path */
export async function joinClip(
  path: string,
  { part, times, seconds, wholeSeconds = Number.POSITIVE_INFINITY }: Joining,
): Promise<string> {
  const input = new FormatContext()
  require(await input.openInput(part), 'open')
  require(await input.findStreamInfo(), 'look')
  const output = new FormatContext()
  require(output.allocOutputContext2(null, null, path), 'prepare')
  require(output.openOutputSync(), 'create')
  const streams = new Map(input.streams.map((stream) => [stream.index, copyStream(output, stream)]))
  require(output.writeHeaderSync(Dictionary.fromObject({})), 'begin')
  const held = readAll(input)
  const lastDts = new Map<number, bigint>()
  for (let round = 0; round < times; round += 1) {
    const isWhole = round * seconds < wholeSeconds
    for (const { packet, stream } of held) {
      const isPicture = stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO
      if (isPicture && !isWhole && !packet.isKeyframe) continue
      const target = streams.get(stream.index)
      const copy = packet.clone()
      if (!target || !copy) throw new Error('A packet could not be copied.')
      const shift = BigInt(
        Math.round((round * seconds * stream.timeBase.den) / stream.timeBase.num),
      )
      copy.pts += shift
      copy.dts += shift
      copy.rescaleTs(stream.timeBase, target.timeBase)
      copy.streamIndex = target.index
      copy.pos = -1n
      const last = lastDts.get(target.index)
      // The last packet of sound may reach into the next round.
      if (last !== undefined && copy.dts <= last) {
        copy.free()
        continue
      }
      lastDts.set(target.index, copy.dts)
      require(output.interleavedWriteFrameSync(copy), 'write')
      copy.free()
    }
    // The wrappers of packets are freed between turns of the event loop only.
    await new Promise(setImmediate)
  }
  require(output.writeTrailerSync(), 'finish')
  output.closeOutputSync()
  output.freeContext()
  for (const { packet } of held) packet.free()
  input.closeInputSync()
  return path
}

function copyStream(output: FormatContext, source: Stream): Stream {
  const stream = output.newStream()
  require(source.codecpar.copy(stream.codecpar), 'copy')
  stream.codecpar.codecTag = 0
  stream.timeBase = source.timeBase
  return stream
}

function readAll(input: FormatContext): Held[] {
  const held: Held[] = []
  const packet = new Packet()
  packet.alloc()
  while (input.readFrameSync(packet) >= 0) {
    const [copy, stream] = [packet.clone(), input.streams[packet.streamIndex]]
    if (copy && stream) held.push({ packet: copy, stream })
    packet.unref()
  }
  packet.free()
  return held
}

function require(code: number, what: string): void {
  if (code < 0) throw new Error(`${what}: ${code}`)
}
