import type { Clips } from './broken-containers.ts'
import { any, type HostileFile, refusedWith } from './hostile-file.ts'

const refused = refusedWith(422)

/** Containers without an index whose clocks, sizes and counts are beyond all measure. */
export function makeStreamLies({ flv, ts, wmv, ogv, mpg }: Clips): HostileFile[] {
  const times = (bytes: Buffer, count: number) =>
    Buffer.concat(Array.from({ length: count }, () => bytes))
  return [
    any(
      'jumping-clock.flv',
      changeTags(flv, (tag, index) => writeTime(tag, index * 7_000_001)),
      true,
    ),
    any(
      'backward-clock.flv',
      changeTags(flv, (tag, index) => writeTime(tag, 2 ** 31 - index * 999)),
    ),
    any('late-pictures.flv', changeTags(flv, makeLate)),
    any(
      'huge-tag.flv',
      changeTags(flv, (tag, index) => index === 9 && tag.fill(0xff, 1, 4)),
    ),
    any('joined-60-times.ts', times(ts, 60)),
    any('joined-60-times.mpg', times(mpg, 60)),
    any('chained-60-times.ogv', times(ogv, 60)),
    any(
      'no-clock.ts',
      changePackets(ts, (packet) => packet.fill(0, 5, 8)),
    ),
    refused('scrambled.ts', changePackets(ts, scramble)),
    any('endless-object.wmv', patchSize(wmv, 2n ** 62n)),
    any('small-object.wmv', patchSize(wmv, 1n)),
    any(
      'page-sizes.ogv',
      changePages(ogv, (page) => page.fill(0xff, 27, 27 + (page[26] ?? 0))),
    ),
    any(
      'granules.ogv',
      changePages(ogv, (page) => page.writeBigInt64LE(-(2n ** 62n), 6)),
    ),
  ]
}

const FLV_HEAD = 13

/** Changes the head of every tag, which is followed by its content. */
function changeTags(flv: Buffer, change: (tag: Buffer, index: number) => void): Buffer {
  const changed = Buffer.from(flv)
  for (let [at, index] = [FLV_HEAD, 0]; at + 16 < changed.length; index += 1) {
    const size = changed.readUIntBE(at + 1, 3)
    change(changed.subarray(at, at + 11 + size), index)
    at += 11 + size + 4
  }
  return changed
}

function writeTime(tag: Buffer, milliseconds: number): void {
  const time = milliseconds % 2 ** 32
  tag.writeUIntBE(time % 2 ** 24, 4, 3)
  tag[7] = Math.floor(time / 2 ** 24)
}

/** Pictures are to be shown an hour after they are decoded. */
function makeLate(tag: Buffer): void {
  if (tag[0] === 9) tag.writeUIntBE(3_600_000, 13, 3)
}

const PACKET_BYTES = 188

function changePackets(ts: Buffer, change: (packet: Buffer) => void): Buffer {
  const changed = Buffer.from(ts)
  for (let at = 0; at + PACKET_BYTES <= changed.length; at += PACKET_BYTES) {
    change(changed.subarray(at, at + PACKET_BYTES))
  }
  return changed
}

/** All but the tables. */
function scramble(packet: Buffer): void {
  if (packet.readUInt16BE(1) % 2 ** 13 >= 0x20) packet[3] = (packet[3] ?? 0) | 0xc0
}

/** The size of the first object within the head. */
function patchSize(wmv: Buffer, size: bigint): Buffer {
  const changed = Buffer.from(wmv)
  changed.writeBigUInt64LE(size, 30 + 16)
  return changed
}

function changePages(ogv: Buffer, change: (page: Buffer) => void): Buffer {
  const changed = Buffer.from(ogv)
  for (let at = changed.indexOf('OggS', 4); at >= 0; at = changed.indexOf('OggS', at + 4)) {
    change(changed.subarray(at))
  }
  return changed
}
