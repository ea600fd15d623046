import {
  AV_CODEC_FLAG_FRAME_DURATION,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_FLAG_INTERLACED_DCT,
  AV_CODEC_FLAG_INTERLACED_ME,
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_HDMV_PGS_SUBTITLE,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_WEBVTT,
  AV_FRAME_DATA_DISPLAYMATRIX,
  AV_FRAME_FLAG_INTERLACED,
  AV_LOG_ERROR,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE170M,
  AVCOL_PRI_SMPTE432,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_RANGE_MPEG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_SMPTE170M,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
  AVCOL_TRC_BT2020_10,
  AVCOL_TRC_SMPTE170M,
  AVCOL_TRC_SMPTE2084,
  type AVCodecID,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
  type AVMediaType,
  type AVPixelFormat,
} from 'node-av/constants'
import {
  avGetCodecName,
  avGetPixFmtName,
  Codec,
  CodecContext,
  Dictionary,
  FormatContext,
  Frame,
  Log,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib'
import {
  addStream,
  allocateEncoder,
  check,
  freeTracks,
  openGraph,
  type Track,
  writeTracks,
} from '#tools/demo/recording/tracks.ts'

type VideoCodec =
  | 'h264'
  | 'hevc'
  | 'av1'
  | 'mpeg4'
  | 'vp9'
  | 'mjpeg'
  | 'prores'
  | 'mpeg2'
  | 'wmv2'
  | 'flv1'
  | 'vp8'
type AudioCodec = 'aac' | 'mp3' | 'opus' | 'pcm' | 'ac3' | 'mp2' | 'wmav2'

/** Left out means: H.264 and AAC in MP4, 320x180, 2 s, 30 fps, an upright moving test picture with a tone. */
export type ClipOptions = {
  path: string
  container?: keyof typeof muxerNames
  /** `null` makes a file of sound only. */
  videoCodec?: VideoCodec | null
  /** `null` makes a silent file. */
  audioCodec?: AudioCodec | null
  width?: number
  height?: number
  seconds?: number
  frameRate?: number
  /** Clockwise turn, in degrees, that a player has to make; it swaps the displayed sides at 90 and 270. */
  rotation?: 0 | 90 | 180 | 270
  /** The picture is black for this long from the start. */
  blackSeconds?: number
  /** FFmpeg's filters for the picture, such as `boxblur=8`. */
  filters?: string[]
  /** Two of every five frames are missing. */
  variableFrameRate?: boolean
  /** FFmpeg's name, such as `yuv420p10le` or `yuv444p`. */
  pixelFormat?: string
  /** Pixel aspect, such as `4/3`. */
  sampleAspectRatio?: string
  interlaced?: boolean
  /** High dynamic range in BT.2020, as phones and recent cards record it; wants a 10-bit `pixelFormat`. */
  dynamicRange?: 'pq' | 'hlg'
  /** How colours are stored in standard range; BT.709 and limited range are said of nothing by default. */
  colors?: 'bt601' | 'bt709' | 'bt2020' | 'p3'
  fullRange?: boolean
  /** The whole picture has this colour, such as `0xc83c28`. */
  solid?: string
  /**
   * A black picture without a sound, but for a white flash and a beep of a tenth of a second at this time.
   * A quarter of each side is red in the upper left corner, as it is shown.
   */
  flashSeconds?: number
  /** Each second begins with a white picture and a burst in each track, at the pitches of `PULSE_HERTZ`; all else is black and silent. */
  pulses?: boolean
  /** The sound is noise, the same each time, of which no stretch is like another. */
  isNoise?: boolean
  /** The sound is that of this WAV file. */
  soundPath?: string
  /** Packets of sound that begin in one of these stretches are missing. */
  soundGaps?: [fromSeconds: number, toSeconds: number][]
  /** Pictures that are decoded earlier are missing, as where a recorder's buffer begins; in key frames' open groups some stay
   * that lean on those. */
  dropsFirstSeconds?: number
  bFrames?: number
  /** The last picture is shown for this long instead of one frame; of H.264. */
  lastPictureSeconds?: number
  keyFrameSeconds?: number
  audioTracks?: number
  /** ISO 639-2, one for each track. */
  audioLanguages?: string[]
  /** What a recorder calls each track. */
  audioTitles?: string[]
  /** The same where only the handler of each track in an MP4 or MOV says it. */
  audioHandlers?: string[]
  /** Text tracks, and one of pictures (`pgs`). */
  texts?: ClipText[]
  audioSeconds?: number
  /** The sound begins this much later than the picture; negative for earlier. */
  audioDelaySeconds?: number
  /** Everything begins at this time instead of 0; a negative one is cut off by the edit lists of an MP4. */
  startSeconds?: number
  sampleRate?: number
  /** How much louder the sound is, in decibels. */
  soundGain?: number
  /** The same for each track; one that is not there is as loud as usual. A track of -200 is silent. */
  soundGains?: number[]
  /** Bits per second of each sound track. */
  audioBitRate?: number
  /** 6 is surround sound, 5.1. */
  channels?: 1 | 2 | 6 | 8
  metadata?: Record<string, string>
  /** Bits per second of the picture, for large files; the test picture then gets noise. */
  videoBitRate?: number
  /** How strong that noise is, 0 to 100; 60 by default. */
  noise?: number
  /** Bits per second that H.264 is filled up to with nothing, for large files that are quickly made. */
  filledBitRate?: number
  muxerOptions?: Record<string, string>
  /** FFmpeg's options of the picture's encoder, such as `x264-params`. */
  encoderOptions?: Record<string, string>
}

export type ClipText = {
  codec: 'subrip' | 'ass' | 'webvtt' | 'mov_text' | 'pgs'
  /** ISO 639-2. */
  language?: string
  title?: string
  /** Bytes as the container holds them; words of `mov_text` get their length in front. */
  cues: { fromSeconds: number; seconds: number; words: string }[]
}

const textCodecs: Record<ClipText['codec'], AVCodecID> = {
  subrip: AV_CODEC_ID_SUBRIP,
  ass: AV_CODEC_ID_ASS,
  webvtt: AV_CODEC_ID_WEBVTT,
  mov_text: AV_CODEC_ID_MOV_TEXT,
  pgs: AV_CODEC_ID_HDMV_PGS_SUBTITLE,
}

const muxerNames = {
  mp4: 'mp4',
  mov: 'mov',
  matroska: 'matroska',
  webm: 'webm',
  avi: 'avi',
  flv: 'flv',
  mpegts: 'mpegts',
  mpegps: 'vob',
  asf: 'asf',
  ogg: 'ogg',
}

/** Containers that want the heads of streams among their packets. */
const inBandHeaders = new Set(['avi', 'mpegts', 'vob'])

const videoEncoders: Record<VideoCodec, { name: string; options: Record<string, string> }> = {
  h264: { name: 'libx264', options: { preset: 'ultrafast' } },
  hevc: { name: 'libx265', options: { preset: 'ultrafast', 'x265-params': 'log-level=none' } },
  av1: { name: 'libsvtav1', options: { preset: '12' } },
  mpeg4: { name: 'mpeg4', options: {} },
  prores: { name: 'prores_ks', options: {} },
  vp9: { name: 'libvpx-vp9', options: { deadline: 'realtime', 'cpu-used': '8' } },
  mjpeg: { name: 'mjpeg', options: {} },
  mpeg2: { name: 'mpeg2video', options: {} },
  wmv2: { name: 'wmv2', options: {} },
  flv1: { name: 'flv', options: {} },
  vp8: { name: 'libvpx', options: { deadline: 'realtime', 'cpu-used': '8' } },
}

const colorFields = {
  bt601: {
    colorSpace: AVCOL_SPC_SMPTE170M,
    colorPrimaries: AVCOL_PRI_SMPTE170M,
    colorTrc: AVCOL_TRC_SMPTE170M,
  },
  bt709: {
    colorSpace: AVCOL_SPC_BT709,
    colorPrimaries: AVCOL_PRI_BT709,
    colorTrc: AVCOL_TRC_BT709,
  },
  /** Display P3, as phones record it. */
  p3: {
    colorSpace: AVCOL_SPC_BT709,
    colorPrimaries: AVCOL_PRI_SMPTE432,
    colorTrc: AVCOL_TRC_BT709,
  },
  bt2020: {
    colorSpace: AVCOL_SPC_BT2020_NCL,
    colorPrimaries: AVCOL_PRI_BT2020,
    colorTrc: AVCOL_TRC_BT2020_10,
  },
}

const audioEncoders: Record<AudioCodec, { name: string; sampleFormat: string; samples: number }> = {
  aac: { name: 'aac', sampleFormat: 'fltp', samples: 1024 },
  mp3: { name: 'libmp3lame', sampleFormat: 'fltp', samples: 1152 },
  opus: { name: 'libopus', sampleFormat: 'flt', samples: 960 },
  pcm: { name: 'pcm_s16le', sampleFormat: 's16', samples: 1024 },
  ac3: { name: 'ac3', sampleFormat: 'fltp', samples: 1536 },
  mp2: { name: 'mp2', sampleFormat: 's16', samples: 1152 },
  wmav2: { name: 'wmav2', sampleFormat: 'fltp', samples: 2048 },
}

/** Writes a real clip, encoded in this process; a small one takes about 50 ms. Answers its path. */
export async function makeClip(options: ClipOptions): Promise<string> {
  Log.setLevel(AV_LOG_ERROR)
  const container = options.container ?? 'mp4'
  const output = new FormatContext()
  check(output.allocOutputContext2(null, muxerNames[container], options.path), 'output')
  check(output.openOutputSync(), 'open')
  const tracks = makeTracks(output, options)
  const texts = (options.texts ?? []).map((text) => ({ ...text, stream: addText(output, text) }))
  if (options.metadata) output.metadata = Dictionary.fromObject(options.metadata)
  check(output.writeHeaderSync(Dictionary.fromObject(options.muxerOptions ?? {})), 'header')
  for (const text of texts) writeText(output, text)
  writeTracks(output, tracks)
  check(output.writeTrailerSync(), 'trailer')
  output.closeOutputSync()
  freeTracks(tracks)
  output.freeContext()
  return options.path
}

export type ClipReading = {
  durationSeconds: number
  /** All tags, the file's and the streams', as `name=value`. */
  tags: string[]
  pictures: PictureReading[]
  sounds: SoundReading[]
}

type PictureReading = {
  codec: string | null
  pixelFormat: string | null
  width: number
  height: number
  pixelAspect: number
  hasDisplayMatrix: boolean
  /** Shown times, in their order. */
  times: number[]
  keyTimes: number[]
  bytes: number
}

type SoundReading = {
  codec: string | null
  sampleRate: number
  channels: number
  times: number[]
  bytes: number
}

/** Reads back what a file holds, without decoding it. Here and below an address will do for a path. */
export async function readClip(path: string): Promise<ClipReading> {
  const input = await openInput(path)
  const packets = input.streams.map(() => ({
    times: [] as number[],
    keys: [] as number[],
    bytes: 0,
  }))
  const packet = new Packet()
  packet.alloc()
  while ((await readPacket(input, packet)) >= 0) {
    const seen = packets[packet.streamIndex]
    const base = input.streams[packet.streamIndex]?.timeBase
    if (seen && base) {
      const time = (Number(packet.pts) * base.num) / base.den
      seen.times.push(time)
      if (packet.isKeyframe) seen.keys.push(time)
      seen.bytes += packet.size
    }
    packet.unref()
  }
  packet.free()
  const reading: ClipReading = {
    durationSeconds: Number(input.duration) / 1e6,
    tags: [input, ...input.streams].flatMap(({ metadata }) =>
      Object.entries(metadata?.getAll() ?? {}).map(([name, value]) => `${name}=${value}`),
    ),
    pictures: [],
    sounds: [],
  }
  for (const [index, stream] of input.streams.entries()) {
    const { times = [], keys = [], bytes = 0 } = packets[index] ?? {}
    const { codecpar } = stream
    const codec = avGetCodecName(codecpar.codecId)
    times.sort((a, b) => a - b)
    if (codecpar.codecType === AVMEDIA_TYPE_AUDIO) {
      const { sampleRate, channels } = codecpar
      reading.sounds.push({ codec, sampleRate, channels, times, bytes })
    } else if (codecpar.codecType === AVMEDIA_TYPE_VIDEO) {
      const { num, den } = stream.sampleAspectRatio
      reading.pictures.push({
        codec,
        pixelFormat: avGetPixFmtName(codecpar.format as AVPixelFormat),
        width: codecpar.width,
        height: codecpar.height,
        pixelAspect: num > 0 ? num / den : 1,
        hasDisplayMatrix: codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX) !== null,
        times,
        keyTimes: keys,
        bytes,
      })
    }
  }
  input.closeInputSync()
  return reading
}

/** As players show it: turned, and with square pixels. */
export type Still = {
  width: number
  height: number
  interlaced: boolean
  /** The colour at a place given in parts of the width and height, each channel 0 to 255. */
  at: (x: number, y: number) => [number, number, number]
}

/** Decodes the first picture of a clip or a picture file that is shown at or after a time, for a screen of BT.709. */
export async function readStill(path: string, atSeconds = 0): Promise<Still> {
  const stills: Still[] = []
  await decodeFrames(path, AVMEDIA_TYPE_VIDEO, (frame, seconds) => {
    if (seconds < atSeconds - 1e-6 || stills.length > 0) return
    const { width, height } = frame
    const { num, den } = frame.sampleAspectRatio
    const wide = Math.round(width * (num > 0 ? num / den : 1))
    const [a, b, c, d] = readTurn(frame.getSideData(AV_FRAME_DATA_DISPLAYMATRIX))
    const interlaced = (frame.flags & AV_FRAME_FLAG_INTERLACED) !== 0
    const source =
      `buffer@in=video_size=${width}x${height}:pix_fmt=${frame.format}:time_base=1/1` +
      `:colorspace=${frame.colorSpace}:range=${frame.colorRange}`
    const filters = [source, ...primariesFilters(frame), 'format=rgb24']
    const [graph, sink] = openGraph(filters.join(), 'buffersink')
    check(graph.getFilter('buffer@in')?.buffersrcAddFrameSync(frame) ?? -1, 'picture')
    check(sink.buffersinkGetFrameSync(frame), 'picture')
    const bytes = frame.toBuffer()
    graph.free()
    const at = (x: number, y: number): [number, number, number] => {
      const column = Math.floor((a * (x - 0.5) + b * (y - 0.5) + 0.5) * width)
      const row = Math.floor((c * (x - 0.5) + d * (y - 0.5) + 0.5) * height)
      const start = (row * width + column) * 3
      return [bytes[start] ?? 0, bytes[start + 1] ?? 0, bytes[start + 2] ?? 0]
    }
    const shown = a === 0 ? { width: height, height: wide } : { width: wide, height }
    stills.push({ ...shown, interlaced, at })
  })
  if (!stills[0]) throw new Error(`There is no picture in ${path}.`)
  return stills[0]
}

/** Primaries of BT.709, as screens want them. */
function primariesFilters({ colorPrimaries: primaries }: Frame): string[] {
  if (primaries === AVCOL_PRI_UNSPECIFIED || primaries === AVCOL_PRI_BT709) return []
  const curve = 'tin=iec61966-2-1:t=iec61966-2-1'
  return ['format=gbrp', `zscale=pin=${primaries}:p=709:${curve}:min=gbr:m=gbr`]
}

/** How a frame is turned to be shown: the first two columns of its matrix, in whole numbers. */
function readTurn(matrix: Buffer | null): [a: number, b: number, c: number, d: number] {
  if (!matrix) return [1, 0, 0, 1]
  const read = (at: number) => matrix.readInt32LE(at * 4) / 0x10000
  return [read(0), read(1), read(3), read(4)]
}

/** When the picture is bright for the first time. */
export async function readFlash(path: string): Promise<number> {
  let seenAt = Number.POSITIVE_INFINITY
  await decodeFrames(path, AVMEDIA_TYPE_VIDEO, (frame, seconds) => {
    const brightness = frame.data?.[0]?.[Math.floor(frame.width / 2)] ?? 0
    if (brightness > 150) seenAt = Math.min(seenAt, seconds)
  })
  return seenAt
}

type Decoding = {
  frames: number
  /** What the decoder refused. */
  errors: number
  colors: { space: number; primaries: number; transfer: number; range: number } | null
}

/** Decodes all pictures of a file, or of a playlist, from start to end. */
export async function decodeAll(path: string): Promise<Decoding> {
  const decoding: Decoding = { frames: 0, errors: 0, colors: null }
  const onError = () => {
    decoding.errors += 1
  }
  const onFrame = (frame: Frame) => {
    decoding.frames += 1
    decoding.colors ??= {
      space: frame.colorSpace,
      primaries: frame.colorPrimaries,
      transfer: frame.colorTrc,
      range: frame.colorRange,
    }
  }
  await decodeFrames(path, AVMEDIA_TYPE_VIDEO, onFrame, onError)
  return decoding
}

/** A picture beside the one of another file that is shown at the same moment. */
type PictureMatch = {
  seconds: number
  /** How alike the two are, 1 for the same (structural similarity, all planes). */
  ssim: number
}

/** Compares each picture of a file with what a source of it shows at that moment, at the source's size. */
export async function comparePictures(path: string, source: string): Promise<PictureMatch[]> {
  const shown: { frame: Frame; seconds: number }[] = []
  await decodeFrames(source, AVMEDIA_TYPE_VIDEO, (frame, seconds) => {
    const copy = frame.clone()
    if (copy) shown.push({ frame: copy, seconds })
  })
  shown.sort((one, other) => one.seconds - other.seconds)
  const matches: PictureMatch[] = []
  await decodeFrames(path, AVMEDIA_TYPE_VIDEO, (frame, seconds) => {
    const match = shown.findLast((one) => one.seconds <= seconds + 0.002) ?? shown[0]
    if (match) matches.push({ seconds, ssim: measureSsim(frame, match.frame) })
  })
  for (const { frame } of shown) frame.free()
  return matches
}

function measureSsim(one: Frame, other: Frame): number {
  const describe = (name: string, { width, height, format, colorSpace, colorRange }: Frame) =>
    `buffer@${name}=video_size=${width}x${height}:pix_fmt=${format}:time_base=1/1` +
    `:colorspace=${colorSpace}:range=${colorRange}`
  const scale = `scale=${other.width}:${other.height}:flags=bicubic:out_range=limited:out_color_matrix=bt709`
  const alike = `${scale},format=yuv420p,setsar=1,settb=1`
  const [graph, sink] = openGraph(
    `${describe('one', one)},${alike}[one];${describe('other', other)},${alike}[other];[one][other]ssim`,
    'buffersink',
  )
  for (const [name, frame] of [
    ['buffer@one', one],
    ['buffer@other', other],
  ] as const) {
    const input = frame.clone()
    if (!input) throw new Error('A frame could not be copied.')
    input.pts = 0n
    check(graph.getFilter(name)?.buffersrcAddFrameSync(input) ?? -1, 'picture')
    check(graph.getFilter(name)?.buffersrcAddFrameSync(null) ?? -1, 'picture')
    input.free()
  }
  const result = new Frame()
  result.alloc()
  check(sink.buffersinkGetFrameSync(result), 'likeness')
  const ssim = Number(result.getMetadata()?.get('lavfi.ssim.All'))
  result.free()
  graph.free()
  return ssim
}

type SoundHeard = {
  /** When the first sound is heard, in seconds. */
  heardAt: number
  /** Length of the decoded sound. */
  seconds: number
  /** Of a plain tone, in hertz, to the nearest ten. */
  pitch: number
}

/** Decodes a file's sound from start to end. */
export async function readSound(path: string): Promise<SoundHeard> {
  const sound = { heardAt: Number.POSITIVE_INFINITY, seconds: 0 }
  const loud = { seconds: 0, rises: 0 }
  await decodeFrames(path, AVMEDIA_TYPE_AUDIO, (frame, seconds) => {
    const channels = (frame.data ?? []).map(
      (bytes) => new Float32Array(bytes.buffer, bytes.byteOffset, frame.nbSamples),
    )
    // A tone may be in one of several channels only, as in surround sound.
    const samples = channels.find((one) => one.some((sample) => Math.abs(sample) > 0.02)) ?? []
    const index = samples.findIndex((sample) => Math.abs(sample) > 0.02)
    if (index >= 0) {
      sound.heardAt = Math.min(sound.heardAt, seconds + index / frame.sampleRate)
      loud.seconds += frame.nbSamples / frame.sampleRate
      loud.rises += samples.filter((sample, at) => sample >= 0 && (samples[at - 1] ?? 0) < 0).length
    }
    sound.seconds += frame.nbSamples / frame.sampleRate
  })
  return { ...sound, pitch: Math.round(loud.rises / loud.seconds / 10) * 10 }
}

/** How loud plain tones are in the first channel of a file's first sound: the amplitude of each, by hertz. */
export async function readTones(path: string, hertz: number[]): Promise<number[]> {
  const tones = hertz.map((each) => ({ hertz: each, sine: 0, cosine: 0 }))
  let count = 0
  await decodeFrames(path, AVMEDIA_TYPE_AUDIO, (frame) => {
    const [bytes] = frame.data ?? []
    if (!bytes) return
    for (const sample of new Float32Array(bytes.buffer, bytes.byteOffset, frame.nbSamples)) {
      for (const tone of tones) {
        const angle = (2 * Math.PI * tone.hertz * count) / frame.sampleRate
        tone.sine += sample * Math.sin(angle)
        tone.cosine += sample * Math.cos(angle)
      }
      count += 1
    }
  })
  return tones.map(({ sine, cosine }) => (2 * Math.hypot(sine, cosine)) / count)
}

async function decodeFrames(
  path: string,
  type: AVMediaType,
  onFrame: (frame: Frame, seconds: number) => void,
  onError: () => void = () => {},
): Promise<void> {
  const input = await openInput(path)
  const stream = input.streams[input.findBestStream(type)]
  if (!stream) throw new Error(`There is nothing to decode in ${path}.`)
  const codec = Codec.findDecoder(stream.codecpar.codecId)
  const decoder = new CodecContext()
  decoder.allocContext3(codec)
  check(decoder.parametersToContext(stream.codecpar), 'decoder')
  decoder.pktTimebase = stream.timeBase
  check(decoder.open2Sync(codec, null), 'decoder')
  const { num, den } = stream.timeBase
  const [packet, frame] = [new Packet(), new Frame()]
  packet.alloc()
  frame.alloc()
  for (let ended = false; !ended; ) {
    ended = (await readPacket(input, packet)) < 0
    if (!ended && packet.streamIndex !== stream.index) continue
    if (decoder.sendPacketSync(ended ? null : packet) < 0) onError()
    while (decoder.receiveFrameSync(frame) >= 0) {
      onFrame(frame, (Number(frame.bestEffortTimestamp) * num) / den)
      frame.unref()
    }
    packet.unref()
  }
  packet.free()
  frame.free()
  decoder.freeContext()
  input.closeInputSync()
}

async function openInput(path: string): Promise<FormatContext> {
  Log.setLevel(AV_LOG_ERROR)
  const input = new FormatContext()
  check(await input.openInput(path), `open ${path}`)
  check(await input.findStreamInfo(), `look into ${path}`)
  return input
}

/** A server in this process needs its turn in between; of a local file the quicker way will do. */
function readPacket(input: FormatContext, packet: Packet): number | Promise<number> {
  return input.url?.startsWith('http') ? input.readFrame(packet) : input.readFrameSync(packet)
}

function makeTracks(output: FormatContext, options: ClipOptions): Track[] {
  const tracks: Track[] = []
  if (options.videoCodec !== null) tracks.push(makeVideoTrack(output, options))
  if (options.audioCodec !== null) {
    for (let index = 0; index < (options.audioTracks ?? 1); index += 1) {
      tracks.push(makeAudioTrack(output, options, index))
    }
  }
  return tracks
}

function makeVideoTrack(output: FormatContext, options: ClipOptions): Track {
  const { width = 320, height = 180, frameRate = 30 } = options
  const [graph, sink] = openGraph(videoSource(options), 'buffersink')
  const { name, options: encoderOptions } = videoEncoders[options.videoCodec ?? 'h264']
  const encoder = encoderFor(output, name)
  encoder.width = width
  encoder.height = height
  encoder.pixelFormat = sink.buffersinkGetFormat() as typeof encoder.pixelFormat
  encoder.timeBase = sink.buffersinkGetTimeBase()
  encoder.framerate = new Rational(Math.round(frameRate * 1000), 1000)
  encoder.sampleAspectRatio = sink.buffersinkGetSampleAspectRatio()
  encoder.gopSize = Math.round((options.keyFrameSeconds ?? 1) * frameRate)
  if (options.bFrames) encoder.maxBFrames = options.bFrames
  if (options.dynamicRange) {
    const isPq = options.dynamicRange === 'pq'
    encoder.colorTrc = isPq ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_ARIB_STD_B67
    encoder.colorPrimaries = AVCOL_PRI_BT2020
    encoder.colorSpace = AVCOL_SPC_BT2020_NCL
    encoder.colorRange = AVCOL_RANGE_MPEG
  }
  if (options.colors) Object.assign(encoder, colorFields[options.colors])
  if (options.fullRange) encoder.colorRange = AVCOL_RANGE_JPEG
  if (options.videoBitRate) encoder.bitRate = BigInt(options.videoBitRate)
  if (options.lastPictureSeconds) encoder.setFlags(AV_CODEC_FLAG_FRAME_DURATION)
  if (options.interlaced) {
    encoder.setFlags(AV_CODEC_FLAG_INTERLACED_DCT, AV_CODEC_FLAG_INTERLACED_ME)
  }
  const { filledBitRate: filled } = options
  if (filled) {
    const kilobits = Math.round(filled / 1000)
    const rates = `bitrate=${kilobits}:vbv-maxrate=${kilobits}:vbv-bufsize=${kilobits}`
    check(encoder.setOption('x264-params', `nal-hrd=cbr:${rates}`), 'filling')
  }
  for (const [option, value] of Object.entries({ ...encoderOptions, ...options.encoderOptions })) {
    check(encoder.setOption(option, value), `${name} ${option}`)
  }
  check(encoder.open2Sync(null, null), `encoder ${name}`)
  const stream = addStream(output, encoder)
  stream.avgFrameRate = encoder.framerate
  if (options.rotation) {
    stream.codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, displayMatrix(options.rotation))
  }
  const { dropsFirstSeconds } = options
  const gaps: Track['gaps'] = dropsFirstSeconds ? [[-1, dropsFirstSeconds]] : []
  const track = { encoder, graph, sink, stream, gaps }
  const { lastPictureSeconds, seconds = 2, startSeconds = 0 } = options
  if (!lastPictureSeconds) return track
  const fromSeconds = startSeconds + seconds - 1.5 / frameRate
  return { ...track, held: { fromSeconds, seconds: lastPictureSeconds } }
}

/** Pitches by track. */
export const PULSE_HERTZ = [1000, 1700, 2900, 4700, 6100, 7300]
export const PULSE_SECONDS = 0.04

function videoSource(options: ClipOptions): string {
  const { width = 320, height = 180, seconds = 2, frameRate = 30 } = options
  const codec = options.videoCodec ?? 'h264'
  const { flashSeconds, solid } = options
  const background = solid ?? (flashSeconds === undefined && !options.pulses ? null : 'black')
  const source = background ? `color=c=${background}:` : 'testsrc2='
  const filters = [`${source}size=${width}x${height}:rate=${frameRate}:duration=${seconds}`]
  if (flashSeconds !== undefined) {
    const enable = `between(t,${flashSeconds},${flashSeconds + 0.1})`
    filters.push(`drawbox=color=white:thickness=fill:enable='${enable}'`)
    const [x, y] = { 0: [0, 0], 90: [0, 3], 180: [3, 3], 270: [3, 0] }[options.rotation ?? 0]
    const corner = `x=iw*${x}/4:y=ih*${y}/4:w=iw/4:h=ih/4`
    filters.push(`drawbox=${corner}:color=red:thickness=fill`)
  }
  if (options.pulses) {
    filters.push("drawbox=color=white:thickness=fill:enable='lt(mod(t+0.001,1),0.1)'")
  }
  if (options.colors || options.fullRange) {
    const { colors = 'bt709', fullRange } = options
    const matrix = colors === 'p3' ? 'bt709' : colors
    filters.push('format=gbrp')
    filters.push(`scale=out_color_matrix=${matrix}:out_range=${fullRange ? 'full' : 'limited'}`)
  }
  if (options.videoBitRate) filters.push(`noise=alls=${options.noise ?? 60}:allf=t`)
  if (options.blackSeconds) {
    filters.push(`drawbox=color=black:thickness=fill:enable='lt(t,${options.blackSeconds})'`)
  }
  filters.push(...(options.filters ?? []))
  if (options.variableFrameRate) filters.push("select='not(between(mod(n,5),2,3))'")
  if (options.interlaced) filters.push('interlace=lowpass=0', 'setfield=tff')
  if (options.startSeconds) filters.push(`setpts=PTS+${options.startSeconds}/TB`)
  if (options.dynamicRange) {
    const transfer = options.dynamicRange === 'pq' ? 'smpte2084' : 'arib-std-b67'
    filters.push(`format=${options.pixelFormat}`)
    filters.push(
      `setparams=color_primaries=bt2020:color_trc=${transfer}:colorspace=bt2020nc:range=tv`,
    )
  }
  filters.push(`setsar=${options.sampleAspectRatio ?? '1/1'}`)
  filters.push(`format=${options.pixelFormat ?? (codec === 'mjpeg' ? 'yuvj420p' : 'yuv420p')}`)
  return filters.join(',')
}

function makeAudioTrack(output: FormatContext, options: ClipOptions, index: number): Track {
  const { name, sampleFormat, samples } = audioEncoders[options.audioCodec ?? 'aac']
  const rate = options.sampleRate ?? 48000
  const seconds = options.audioSeconds ?? options.seconds ?? 2
  const layout = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' }[options.channels ?? 2]
  const start = (options.startSeconds ?? 0) + (options.audioDelaySeconds ?? 0)
  const { flashSeconds } = options
  const beep =
    flashSeconds === undefined
      ? ''
      : `volume=0:enable='not(between(t,${flashSeconds},${flashSeconds + 0.1}))',`
  const pulse = `0.4*sin(2*PI*${PULSE_HERTZ[index]}*mod(t,1))*lt(mod(t,1),${PULSE_SECONDS})`
  const sound = options.isNoise
    ? `anoisesrc=color=pink:amplitude=0.4:seed=${index + 1}`
    : options.pulses
      ? `aevalsrc=exprs='${pulse}'`
      : `sine=frequency=${440 * (index + 1)}`
  const source = options.soundPath
    ? `amovie=${options.soundPath},aresample=${rate}`
    : `${sound}:sample_rate=${rate}:duration=${seconds}`
  const [graph, sink] = openGraph(
    `${source},${beep}volume=${options.soundGains?.[index] ?? options.soundGain ?? 0}dB,` +
      `aformat=sample_fmts=${sampleFormat}:channel_layouts=${layout},` +
      `asetnsamples=n=${samples}:p=0,asetpts=PTS+${start}/TB`,
    'abuffersink',
  )
  const encoder = encoderFor(output, name)
  encoder.sampleRate = rate
  encoder.sampleFormat = sink.buffersinkGetFormat() as typeof encoder.sampleFormat
  encoder.channelLayout = sink.buffersinkGetChannelLayout()
  encoder.timeBase = new Rational(1, rate)
  if (options.audioBitRate) encoder.bitRate = BigInt(options.audioBitRate)
  check(encoder.open2Sync(null, null), `encoder ${name}`)
  const stream = addStream(output, encoder)
  const language = options.audioLanguages?.[index]
  const title = options.audioTitles?.[index]
  const handler = options.audioHandlers?.[index]
  if (language || title || handler) {
    stream.metadata = Dictionary.fromObject({
      ...(language && { language }),
      ...(handler && { handler_name: handler }),
      ...(title && { title, handler_name: title }),
    })
  }
  const { soundGaps: gaps } = options
  return { encoder, graph, sink, stream, ...(gaps && { gaps }) }
}

function encoderFor(output: FormatContext, name: string): CodecContext {
  const encoder = allocateEncoder(name)
  if (!inBandHeaders.has(output.oformat?.name ?? '')) encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  return encoder
}

function addText(output: FormatContext, { codec, language, title }: ClipText): Stream {
  const stream = output.newStream()
  stream.codecpar.codecType = AVMEDIA_TYPE_SUBTITLE
  stream.codecpar.codecId = textCodecs[codec]
  stream.timeBase = new Rational(1, 1000)
  if (language || title) {
    stream.metadata = Dictionary.fromObject({
      ...(language && { language }),
      ...(title && { title }),
    })
  }
  return stream
}

function writeText(
  output: FormatContext,
  { codec, cues, stream }: ClipText & { stream: Stream },
): void {
  const packet = new Packet()
  packet.alloc()
  for (const { fromSeconds, seconds, words } of cues) {
    const bytes = Buffer.from(words)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    packet.data = codec === 'mov_text' ? Buffer.concat([length, bytes]) : bytes
    packet.pts = BigInt(Math.round(fromSeconds * 1000))
    packet.dts = packet.pts
    packet.duration = BigInt(Math.round(seconds * 1000))
    packet.rescaleTs(new Rational(1, 1000), stream.timeBase)
    packet.streamIndex = stream.index
    check(output.interleavedWriteFrameSync(packet), 'write text')
    packet.unref()
  }
  packet.free()
}

/** The 3x3 matrix of a `tkhd` box, 16.16 fixed point, for a clockwise turn. */
function displayMatrix(rotation: 90 | 180 | 270): Buffer {
  const one = 0x10000
  const [a, b, c, d] = { 90: [0, one, -one, 0], 180: [-one, 0, 0, -one], 270: [0, -one, one, 0] }[
    rotation
  ] as [number, number, number, number]
  const matrix = Buffer.alloc(36)
  for (const [index, value] of [a, b, 0, c, d, 0, 0, 0, 1 << 30].entries()) {
    matrix.writeInt32LE(value, index * 4)
  }
  return matrix
}
