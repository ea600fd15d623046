import { AV_NOPTS_VALUE } from 'node-av/constants'
import type { IRational, Packet } from 'node-av/lib'

/** Seconds; chosen times are in milliseconds. */
export const chosenTimeTolerance = 0.002

export function toSeconds(timestamp: bigint, base: IRational): number {
  return (Number(timestamp) * base.num) / base.den
}

export function toTimestamp(seconds: number, base: IRational): bigint {
  return BigInt(Math.round((seconds * base.den) / base.num))
}

export function rescale(timestamp: bigint, from: IRational, to: IRational): bigint {
  const dividend = timestamp * BigInt(from.num) * BigInt(to.den)
  const divisor = BigInt(from.den) * BigInt(to.num)
  const half = dividend < 0n ? -divisor / 2n : divisor / 2n
  return (dividend + half) / divisor
}

export function isTimestamp(timestamp: bigint): boolean {
  return timestamp !== AV_NOPTS_VALUE
}

/** Time of decoding, or of presentation if only that is known. */
export function decodingTime({ dts, pts }: Packet): bigint {
  return isTimestamp(dts) ? dts : pts
}

export function shiftPacket(packet: Packet, offset: bigint): void {
  if (isTimestamp(packet.pts)) packet.pts -= offset
  if (isTimestamp(packet.dts)) packet.dts -= offset
}
