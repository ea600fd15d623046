import { availableParallelism } from 'node:os'
import { AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants'
import {
  avGetSampleFmtName,
  type FilterContext,
  FilterGraph,
  Frame,
  type IRational,
} from 'node-av/lib'
import { requireSuccess } from './ffmpeg-calls.ts'

export type FilterChain = {
  graph: FilterGraph
  source: FilterContext
  sink: FilterContext
  frame: Frame
}

/** @param base unit of the timestamps */
export function openPictureChain(frame: Frame, base: IRational, filters: string[]): FilterChain {
  const source = [
    `video_size=${frame.width}x${frame.height}`,
    `pix_fmt=${frame.format}`,
    `time_base=${base.num}/${base.den}`,
    `colorspace=${frame.colorSpace}`,
    `range=${frame.colorRange}`,
  ].join(':')
  return openChain(`buffer@in=${source}`, filters, 'buffersink@out')
}

export function openSoundChain(frame: Frame, base: IRational, filters: string[]): FilterChain {
  const { mask, nbChannels } = frame.channelLayout
  const source = [
    `sample_rate=${frame.sampleRate}`,
    `sample_fmt=${avGetSampleFmtName(frame.format as Parameters<typeof avGetSampleFmtName>[0])}`,
    `channel_layout=${mask === 0n ? `${nbChannels}c` : `0x${mask.toString(16)}`}`,
    `time_base=${base.num}/${base.den}`,
  ].join(':')
  return openChain(`abuffer@in=${source}`, filters, 'abuffersink@out')
}

/** Empties the frame; null flushes. The result is valid during the call. */
export function filterFrame(
  chain: FilterChain,
  frame: Frame | null,
  onFrame: (frame: Frame) => void,
): void {
  requireSuccess(chain.source.buffersrcAddFrameSync(frame), 'filter')
  for (;;) {
    const code = chain.sink.buffersinkGetFrameSync(chain.frame)
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
    requireSuccess(code, 'filter')
    onFrame(chain.frame)
    chain.frame.unref()
  }
}

/** The caller frees the result. */
export function filterOne(frame: Frame, filters: string[]): Frame {
  const chain = openPictureChain(frame, { num: 1, den: 1 }, filters)
  const results: Frame[] = []
  const keep = (filtered: Frame) => {
    const copy = filtered.clone()
    if (copy) results.push(copy)
  }
  const input = frame.clone()
  if (!input) throw new Error('A frame could not be copied.')
  input.pts = 0n
  filterFrame(chain, input, keep)
  filterFrame(chain, null, keep)
  closeChain(chain)
  input.free()
  const [first, ...rest] = results
  for (const one of rest) one.free()
  if (!first) throw new Error(`Nothing came out of ${filters.join(',')}.`)
  return first
}

export function closeChain(chain: FilterChain): void {
  chain.frame.free()
  chain.graph.free()
}

function openChain(source: string, filters: string[], sink: string): FilterChain {
  const graph = new FilterGraph()
  graph.alloc()
  graph.nbThreads = Math.min(availableParallelism(), 4)
  const description = [source, ...filters, sink].join(',')
  requireSuccess(graph.parsePtr(description), `set up ${description}`)
  requireSuccess(graph.configSync(), `set up ${description}`)
  const sourceContext = graph.getFilter('buffer@in') ?? graph.getFilter('abuffer@in')
  const sinkContext = graph.getFilter('buffersink@out') ?? graph.getFilter('abuffersink@out')
  if (!sourceContext || !sinkContext) throw new Error(`The chain ${description} has no ends.`)
  const frame = new Frame()
  frame.alloc()
  return { graph, source: sourceContext, sink: sinkContext, frame }
}
