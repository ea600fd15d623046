import { AV_CODEC_ID_AAC, AV_CODEC_ID_H264 } from 'node-av/constants'
import type { Packet, Stream } from 'node-av/lib'
import { eraseFiller } from './aac-filler.ts'

const supplementalUnit = 6
const unregisteredUserData = 5
const filler = 0xff
const startCode = Buffer.from([0, 0, 1])

/** After so many pictures without user data only key frames are read: reading copies the bytes. */
const attentivePictures = 120

/** The first frame names the encoder; a cut may put another before it. */
const signedSoundFrames = 3

/**
 * Blanks names, places and times (H.264 SEI `user_data_unregistered`, AAC fill). Null for other
 * streams.
 */
export function makeUserDataEraser({ codecpar }: Stream): ((packet: Packet) => void) | null {
  const { codecId, extradata } = codecpar
  if (codecId === AV_CODEC_ID_AAC) return makeSoundEraser()
  if (codecId !== AV_CODEC_ID_H264 || !extradata || extradata[0] !== 1) return null
  const lengthBytes = ((extradata[4] ?? 3) & 3) + 1
  let quiet = 0
  return (packet) => {
    quiet += 1
    if (quiet > attentivePictures && !packet.isKeyframe) return
    // `data` is a copy.
    const { data } = packet
    let isChanged = false
    const onUnit = (unit: Buffer) => {
      isChanged = eraseUserData(unit) || isChanged
    }
    if (data) eachUnit(data, lengthBytes, onUnit)
    if (!data || !isChanged) return
    replaceData(packet, data)
    quiet = 0
  }
}

function makeSoundEraser(): (packet: Packet) => void {
  let frames = 0
  return (packet) => {
    frames += 1
    const data = frames <= signedSoundFrames ? packet.data : null
    if (data && eraseFiller(data)) replaceData(packet, data)
  }
}

export function eraseEncoderName(packet: Packet): void {
  const { data } = packet
  if (!data) return
  let isChanged = false
  for (let at = data.indexOf(startCode); at >= 0; ) {
    const start = at + startCode.length
    const next = data.indexOf(startCode, start)
    if (((data[start] ?? 0) & 31) === supplementalUnit) {
      const end = next < 0 ? data.length : next
      isChanged = eraseUserData(data.subarray(start + 1, end)) || isChanged
    }
    at = next
  }
  if (isChanged) replaceData(packet, data)
}

/** Setting a packet's bytes resets its other fields. */
function replaceData(packet: Packet, data: Buffer): void {
  const { pts, dts, duration, flags, streamIndex, pos } = packet
  packet.data = data
  Object.assign(packet, { pts, dts, duration, flags, streamIndex, pos })
}

function eachUnit(data: Buffer, lengthBytes: number, onUnit: (unit: Buffer) => void): void {
  for (let at = 0; at + lengthBytes < data.length; ) {
    const start = at + lengthBytes
    const end = start + data.readUIntBE(at, lengthBytes)
    if (end > data.length) return
    if (((data[start] ?? 0) & 31) === supplementalUnit) onUnit(data.subarray(start + 1, end))
    at = end
  }
}

/**
 * Skips emulation-prevention bytes (3 after two zeros).
 * @returns whether it erased anything
 */
function eraseUserData(unit: Buffer): boolean {
  const bytes = listCountedBytes(unit)
  const readNumber = (from: number): [value: number, next: number] => {
    let value = 0
    let at = from
    for (; byteAt(at) === 0xff; at += 1) value += 0xff
    return [value + byteAt(at), at + 1]
  }
  const byteAt = (index: number) => unit[bytes[index] ?? -1] ?? 0
  let isChanged = false
  for (let at = 0; at + 2 < bytes.length; ) {
    const [type, afterType] = readNumber(at)
    const [size, start] = readNumber(afterType)
    if (type === unregisteredUserData) {
      blank(unit, bytes.slice(start, start + size))
      isChanged = true
    }
    at = start + size
  }
  return isChanged
}

function listCountedBytes(unit: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at < unit.length; at += 1) if (!isEscape(unit, at)) found.push(at)
  return found
}

function isEscape(unit: Buffer, at: number): boolean {
  return unit[at] === 3 && at >= 2 && unit[at - 1] === 0 && unit[at - 2] === 0
}

/** Zeros before an emulation-prevention byte must stay. */
function blank(unit: Buffer, offsets: number[]): void {
  const escapes = offsets.filter((at) => isEscape(unit, at + 1) || isEscape(unit, at + 2))
  const escaped = new Set(escapes)
  for (const at of offsets) if (!escaped.has(at)) unit[at] = filler
}
