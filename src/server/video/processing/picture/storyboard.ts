import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Frame } from 'node-av/lib'
import { jpegPixels, jpegScaling, writeJpeg } from '../encode/jpeg.ts'
import { closeChain, type FilterChain, filterFrame, openPictureChain } from '../filter-chain.ts'
import { closeSource, openSource, readPackets } from '../source/open-source.ts'
import { fitInside, inspectPicture, type Size } from '../source/picture.ts'
import { closeDecoder, decodePacket, openDecoder } from '../source/stream-decoder.ts'
import { toSeconds } from '../timestamps.ts'
import { type Difference, makeSceneMeter } from './scene-changes.ts'
import { writeStoryboardCues } from './storyboard-cues.ts'

const storyboardFileName = 'storyboard.vtt'
const sheetFileName = (number: number) => `storyboard-${number}.jpg`

/** Pixels. */
const tileBox = { width: 256, height: 256 }
const tilesPerSide = 5
const tilesPerSheet = tilesPerSide * tilesPerSide

/** Beyond two hours tiles are over 24 s apart. */
const mostTiles = 300

/** Longer videos decode key frames only. */
const shortSeconds = 20

const shortTiles = 20
const leastSpacingSeconds = 0.5
const keyFrameSpacingSeconds = 2

export type Storyboard = {
  /** WebVTT first; empty when undecodable. */
  files: string[]
  /** Empty for a short video. */
  differences: Difference[]
}

/** @param path upright, standard range; smallest is fastest */
export async function makeStoryboard(
  path: string,
  options: { outputFolder: string; durationSeconds: number },
): Promise<Storyboard> {
  const { outputFolder, durationSeconds } = options
  const opened = await openSource(path)
  const size = fitInside(await inspectPicture(opened), tileBox)
  closeSource(opened)
  const sheets = makeSheets(size)
  const { times, differences } = await decodeAt(path, durationSeconds, sheets.push)
  sheets.finish()
  if (times.length === 0) return { files: [], differences }
  const names: string[] = []
  for (const sheet of sheets.done) {
    const name = sheetFileName(names.length + 1)
    await writeJpeg(join(outputFolder, name), sheet)
    names.push(name)
    sheet.free()
  }
  const text = writeCues({ times, size, names, durationSeconds })
  await writeFile(join(outputFolder, storyboardFileName), text)
  return { files: [storyboardFileName, ...names], differences }
}

async function decodeAt(
  path: string,
  durationSeconds: number,
  onFrame: (frame: Frame) => void,
): Promise<{ times: number[]; differences: Difference[] }> {
  const isShort = durationSeconds <= shortSeconds
  const spacing = isShort
    ? Math.max(leastSpacingSeconds, durationSeconds / shortTiles)
    : Math.max(keyFrameSpacingSeconds, durationSeconds / mostTiles)
  const source = await openSource(path)
  const decoder = openDecoder(source.video)
  const scenes = makeSceneMeter()
  if (!decoder) return { times: [], differences: [] }
  const times: number[] = []
  const take = (frame: Frame): undefined => {
    const seconds = toSeconds(frame.bestEffortTimestamp, source.video.timeBase)
    if (!isShort) scenes.push(frame, seconds)
    if (seconds < times.length * spacing - 0.05 || times.length >= mostTiles) return
    times.push(seconds)
    onFrame(frame)
  }
  await readPackets(source, (packet) => {
    if (packet.streamIndex !== source.video.index) return
    if (isShort || packet.isKeyframe) decodePacket(decoder, packet, take)
  })
  decodePacket(decoder, null, take)
  closeDecoder(decoder)
  closeSource(source)
  return { times, differences: scenes.differences }
}

function makeSheets(size: Size) {
  const done: Frame[] = []
  let chain: FilterChain | null = null
  let count = 0n
  const keep = (sheet: Frame) => {
    const copy = sheet.clone()
    if (copy) done.push(copy)
  }
  return {
    done,
    push(frame: Frame) {
      const copy = frame.clone()
      if (!copy) return
      chain ??= openPictureChain(copy, { num: 1, den: 1 }, [
        `scale=${size.width}:${size.height}:${jpegScaling}`,
        jpegPixels,
        `tile=${tilesPerSide}x${tilesPerSide}`,
      ])
      copy.pts = count
      count += 1n
      filterFrame(chain, copy, keep)
      copy.free()
    },
    finish() {
      if (!chain) return
      filterFrame(chain, null, keep)
      closeChain(chain)
    },
  }
}

function writeCues(input: {
  times: number[]
  size: Size
  names: string[]
  durationSeconds: number
}): string {
  const { times, size, names, durationSeconds } = input
  const cues = times.map((seconds, index) => {
    const fromSeconds = index === 0 ? 0 : seconds
    const untilSeconds = times[index + 1] ?? Math.max(durationSeconds, fromSeconds + 0.001)
    const place = index % tilesPerSheet
    const x = (place % tilesPerSide) * size.width
    const y = Math.floor(place / tilesPerSide) * size.height
    const sheet = names[Math.floor(index / tilesPerSheet)] ?? ''
    return { fromSeconds, untilSeconds, sheet, x, y, ...size }
  })
  return writeStoryboardCues(cues)
}
