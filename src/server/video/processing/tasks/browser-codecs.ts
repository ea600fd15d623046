import {
  AV_CODEC_ID_AAC,
  AV_CODEC_ID_H264,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUVJ420P,
  AV_PROFILE_AAC_LOW,
  AV_PROFILE_H264_BASELINE,
  AV_PROFILE_H264_CONSTRAINED,
  AV_PROFILE_H264_HIGH,
  AV_PROFILE_H264_MAIN,
} from 'node-av/constants'
import type { Stream } from 'node-av/lib'
import { fitShortSide, isSameSize } from '../encode/rendition-size.ts'
import { isHighDynamicRange } from '../picture/picture-filters.ts'
import type { Source } from '../source/open-source.ts'
import { claimedFrameRate } from '../source/packet-tally.ts'
import type { Picture, Size } from '../source/picture.ts'

/** 60 is rarely exact. */
export const maxCopiedFrameRate = 61

const browserProfiles = new Set<number>([
  AV_PROFILE_H264_BASELINE,
  AV_PROFILE_H264_BASELINE | AV_PROFILE_H264_CONSTRAINED,
  AV_PROFILE_H264_MAIN,
  AV_PROFILE_H264_HIGH,
])

/** In every browser, unchanged. */
export function playsAsIs(source: Source, picture: Picture): boolean {
  return (
    source.container === 'mp4' &&
    isBrowserPicture(source.video, picture) &&
    source.audio.every(isAac)
  )
}

/** H.264 hardware decoders. */
const maxBrowserPixels = 4096 * 2304

export function isBrowserPicture({ codecpar }: Stream, picture: Picture): boolean {
  const { pixelFormat } = picture
  return (
    codecpar.codecId === AV_CODEC_ID_H264 &&
    codecpar.extradataSize > 0 &&
    browserProfiles.has(codecpar.profile) &&
    (pixelFormat === AV_PIX_FMT_YUV420P || pixelFormat === AV_PIX_FMT_YUVJ420P) &&
    !picture.interlaced &&
    !isHighDynamicRange(picture) &&
    !picture.orientation.mirrored &&
    picture.storedWidth * picture.storedHeight <= maxBrowserPixels
  )
}

export function isPlainStereo(stream: Stream): boolean {
  const { profile, channels, sampleRate } = stream.codecpar
  const isUsualRate = sampleRate === 44_100 || sampleRate === 48_000
  return isAac(stream) && profile === AV_PROFILE_AAC_LOW && channels <= 2 && isUsualRate
}

function isAac({ codecpar }: Stream): boolean {
  return codecpar.codecId === AV_CODEC_ID_AAC && codecpar.extradataSize > 0
}

/**
 * AVI times do not suffice for H.264.
 * @param size by default the picture's own
 */
export function canCopyPicture(
  source: Source,
  picture: Picture,
  size: Size = fitShortSide(picture, Math.min(picture.width, picture.height)),
): boolean {
  const frameRate = claimedFrameRate(source.video)
  return (
    source.container !== 'avi' &&
    isBrowserPicture(source.video, picture) &&
    picture.orientation.rotation === 0 &&
    picture.squarePixels &&
    isSameSize(picture, size) &&
    frameRate > 0 &&
    frameRate <= maxCopiedFrameRate
  )
}

export function canCopySound({ container }: Source, stream: Stream): boolean {
  return container !== 'avi' && isPlainStereo(stream)
}
