import { MONTAGE_CARD_SECONDS, MONTAGE_FADE_SECONDS } from '#shared/limits.ts'
import { soundRate } from '../encode/encoder.ts'
import { UnplayableSourceError } from '../media-errors.ts'
import { closeSource, openSource } from '../source/open-source.ts'
import { claimedFrameRate } from '../source/packet-tally.ts'
import { inspectPicture, type Picture, type Size } from '../source/picture.ts'
import type { MontageTask } from './media-task.ts'
import { measurePart } from './montage-loudness.ts'

const largestShortSide = 1080

/** They divide picture and sound clocks. */
const frameRates = [24, 25, 30, 50, 60] as const

const usualRate = 30

const tolerance = 0.01

const loudnessTarget = -16
/** More would raise the noise. */
const gainMax = 20

export type MontagePart = MontageTask['parts'][number] & {
  picture: Picture
  /** 0 when unknown. */
  frameRate: number
  frames: number
  /** Decibels. */
  gain: number
}

export type MontagePlan = {
  parts: MontagePart[]
  canvas: Size
  frameRate: number
  samplesPerFrame: number
  fadeFrames: number
  cardFrames: number
  totalFrames: number
}

export async function planMontageTask(
  task: MontageTask,
  onPart: (index: number) => void,
): Promise<MontagePlan> {
  const examined: Omit<MontagePart, 'frames'>[] = []
  for (const [index, part] of task.parts.entries()) {
    examined.push({ ...part, ...(await namePart(part, () => examinePart(part))) })
    onPart(index)
  }
  const frameRate = chooseFrameRate(examined.map((part) => part.frameRate))
  const toFrames = (seconds: number) => Math.max(1, Math.round(seconds * frameRate))
  const parts = examined.map((part) => ({
    ...part,
    frames: toFrames(part.toSeconds - part.fromSeconds),
  }))
  const fadeFrames = task.transition === 'fade' ? toFrames(MONTAGE_FADE_SECONDS) : 0
  const cardFrames = task.titleCard ? toFrames(MONTAGE_CARD_SECONDS) : 0
  const joints = parts.length - (task.titleCard ? 0 : 1)
  const frames = parts.reduce((sum, part) => sum + part.frames, cardFrames)
  return {
    parts,
    canvas: chooseCanvas(examined.map(({ picture }) => picture)),
    frameRate,
    samplesPerFrame: soundRate / frameRate,
    fadeFrames,
    cardFrames,
    totalFrames: frames - joints * fadeFrames,
  }
}

export async function namePart<Result>(
  { name }: { name: string },
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnplayableSourceError)) throw error
    throw new UnplayableSourceError(`“${name}” could not be read. Leave it out and try again.`)
  }
}

async function examinePart(part: MontageTask['parts'][number]) {
  const source = await openSource(part.sourcePath)
  const frameRate = claimedFrameRate(source.video)
  const picture = await inspectPicture(source)
  closeSource(source)
  const loudness = await measurePart(part)
  const gain = loudness === null ? 0 : Math.min(gainMax, loudnessTarget - loudness)
  return { picture, frameRate, gain }
}

/** The lowest that shows every picture, preferably a multiple. */
export function chooseFrameRate(rates: readonly number[]): number {
  const most = Math.max(...rates) || usualRate
  const divided = frameRates.find((rate) => {
    const times = rate / most
    return times > 1 - tolerance && Math.abs(times - Math.round(times)) < tolerance * times
  })
  return divided ?? frameRates.find((rate) => rate > most) ?? 60
}

/** The common shape, else 16:9 or 9:16; the largest up to 1080p. */
export function chooseCanvas(sizes: readonly Size[]): Size {
  const [first] = sizes
  const shape = first && sizes.every((size) => isSameShape(size, first)) ? first : usualShape(sizes)
  const side = Math.max(...sizes.map(({ width, height }) => Math.min(width, height)))
  const scale = Math.min(largestShortSide, side) / Math.min(shape.width, shape.height)
  const even = (length: number) => Math.max(2, 2 * Math.round((length * scale) / 2))
  return { width: even(shape.width), height: even(shape.height) }
}

function isSameShape(one: Size, other: Size): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width)
  return Math.abs(ratio - 1) < tolerance
}

function usualShape(sizes: readonly Size[]): Size {
  const isUpright = sizes.every(({ width, height }) => height > width)
  return isUpright ? { width: 9, height: 16 } : { width: 16, height: 9 }
}
