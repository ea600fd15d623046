import {
  AV_PROFILE_H264_BASELINE,
  AV_PROFILE_H264_CONSTRAINED,
  AV_PROFILE_H264_MAIN,
  type AVPixelFormat,
  FF_ENCODER_LIBX264,
} from 'node-av/constants'
import { type Frame, Rational, type Stream } from 'node-av/lib'
import { allocateEncoder, type Encoder, openEncoder } from './encoder.ts'

/** Encoded pictures have to look like the copied ones. */
const crf = 17
const keyFrameInterval = 600

/**
 * Keeps source timestamps, in presentation order.
 * @param parameterId unused by the source's parameter sets
 */
export function openMatchingEncoder(
  source: Stream,
  { frame, parameterId }: { frame: Frame; parameterId: number },
): Encoder {
  const { codecpar, avgFrameRate, timeBase, sampleAspectRatio } = source
  const context = allocateEncoder(FF_ENCODER_LIBX264)
  context.width = frame.width
  context.height = frame.height
  context.pixelFormat = frame.format as AVPixelFormat
  context.timeBase = timeBase
  context.framerate = avgFrameRate.num > 0 ? avgFrameRate : new Rational(30, 1)
  if (sampleAspectRatio.num > 0) context.sampleAspectRatio = sampleAspectRatio
  context.colorRange = codecpar.colorRange
  context.colorSpace = codecpar.colorSpace
  context.colorPrimaries = codecpar.colorPrimaries
  context.colorTrc = codecpar.colorTrc
  context.gopSize = keyFrameInterval
  context.threadCount = 2
  const options = {
    preset: 'veryfast',
    crf: `${crf}`,
    profile: profileOf(codecpar.profile),
    bf: '0',
    'x264-params': `sps-id=${parameterId}:open-gop=0`,
  }
  return openEncoder(context, options, null)
}

function profileOf(profile: number): string {
  if ((profile & ~AV_PROFILE_H264_CONSTRAINED) === AV_PROFILE_H264_BASELINE) return 'baseline'
  return profile === AV_PROFILE_H264_MAIN ? 'main' : 'high'
}
