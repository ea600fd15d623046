import {
  AV_HWDEVICE_TYPE_VAAPI,
  AV_PIX_FMT_NV12,
  AV_PIX_FMT_VAAPI,
  AV_PIX_FMT_YUV420P,
  type AVPixelFormat,
} from 'node-av/constants'
import { type CodecContext, Frame, HardwareDeviceContext, HardwareFramesContext } from 'node-av/lib'
import { requireSuccess } from '../ffmpeg-calls.ts'
import { closeChain, type FilterChain, filterFrame, openPictureChain } from '../filter-chain.ts'
import type { EncoderName } from './encoder-name.ts'

export type FrameUpload = {
  pixelFormat: AVPixelFormat
  /** The frame is valid during the call. */
  pass: (frame: Frame, onFrame: (frame: Frame) => void) => void
  close: () => void
}

const poolSize = 32

/**
 * Requires an unopened encoder. Null for encoders of 8-bit 4:2:0.
 * @throws without such a card
 */
export function prepareUpload(name: EncoderName, context: CodecContext): FrameUpload | null {
  if (name === 'h264_qsv') return planarToNv12()
  if (name === 'h264_vaapi') return toVaapi(context)
  return null
}

function planarToNv12(): FrameUpload {
  let chain: FilterChain | null = null
  return {
    pixelFormat: AV_PIX_FMT_NV12,
    pass(frame, onFrame) {
      const copy = frame.clone()
      if (!copy) throw new Error('A frame could not be copied.')
      chain ??= openPictureChain(copy, frame.timeBase, ['format=nv12'])
      filterFrame(chain, copy, (converted) => {
        converted.pictType = frame.pictType
        onFrame(converted)
      })
      copy.free()
    },
    close: () => chain && closeChain(chain),
  }
}

function toVaapi(context: CodecContext): FrameUpload {
  const device = new HardwareDeviceContext()
  requireSuccess(device.create(AV_HWDEVICE_TYPE_VAAPI, null, null), 'open VAAPI device')
  const frames = new HardwareFramesContext()
  frames.alloc(device)
  frames.format = AV_PIX_FMT_VAAPI
  frames.swFormat =
    AV_PIX_FMT_YUV420P === context.pixelFormat ? AV_PIX_FMT_NV12 : context.pixelFormat
  frames.width = context.width
  frames.height = context.height
  frames.initialPoolSize = poolSize
  requireSuccess(frames.init(), 'open VAAPI surfaces')
  context.hwFramesCtx = frames
  const toNv12 = planarToNv12()
  return {
    pixelFormat: AV_PIX_FMT_VAAPI,
    pass(frame, onFrame) {
      toNv12.pass(frame, (converted) => {
        const surface = new Frame()
        surface.alloc()
        requireSuccess(frames.getBuffer(surface), 'take VAAPI surface')
        requireSuccess(frames.transferDataSync(surface, converted), 'fill VAAPI surface')
        surface.copyProps(converted)
        onFrame(surface)
        surface.free()
      })
    },
    close: toNv12.close,
  }
}
