import { writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { SHARE_FILE_BYTES_MAX } from '#shared/limits.ts'
import { WAVEFORM_FILE, WAVEFORM_RATE } from '#shared/waveform.ts'
import { makeCardPictures } from '../picture/card-pictures.ts'
import type { Difference } from '../picture/scene-changes.ts'
import { makeStoryboard } from '../picture/storyboard.ts'
import { type LadderFacts, type NamedFile, progressiveFileName } from './ladder-files.ts'
import type { LadderPlan } from './ladder-plan.ts'
import { type LadderResult, type LadderTask, NO_CARDS, type Report } from './media-task.ts'
import { isShareable, makeShareFile, shareFileName } from './share-file.ts'

type LadderExtras = Pick<LadderResult, 'share' | 'storyboardFile' | 'cardFile' | 'preview'> & {
  differences: Difference[]
  files: NamedFile[]
}

type Input = { plan: LadderPlan; facts: LadderFacts; peaks: Uint8Array; report: Report }

export async function makeExtras(task: LadderTask, input: Input): Promise<LadderExtras> {
  const { plan, facts, report } = input
  const { outputFolder } = task
  const { durationSeconds } = plan
  report(94, { stage: 'storyboard', doneSeconds: durationSeconds })
  const smallest = facts.renditions.at(-1)
  const board = smallest
    ? await makeStoryboard(join(outputFolder, smallest.file), { outputFolder, durationSeconds })
    : { files: [], differences: [] }
  const waveform = await writeWaveform(outputFolder, input)
  const cards = await makeCards(task).catch(() => NO_CARDS)
  report(96, { stage: 'sharing' })
  const share = await chooseShare(task, input)
  return {
    share,
    differences: board.differences,
    storyboardFile: board.files[0] ?? null,
    cardFile: cards.cardFile,
    preview: cards.preview,
    files: [
      ...[...board.files, ...waveform].map((name): NamedFile => ({ name, kind: 'storyboard' })),
      ...cards.files.map(({ name, kind }): NamedFile => ({ name, kind })),
      ...(share === 'file' ? [{ name: shareFileName, kind: 'share' } as const] : []),
    ],
  }
}

async function makeCards({ thumbnailPath, outputFolder }: LadderTask) {
  if (thumbnailPath === null) return NO_CARDS
  const { name } = parse(thumbnailPath)
  return makeCardPictures({ sourcePath: thumbnailPath, outputFolder, name })
}

async function writeWaveform(folder: string, { plan, peaks }: Input): Promise<string[]> {
  if (peaks.length === 0) return []
  const length = Math.ceil(plan.durationSeconds * WAVEFORM_RATE)
  await writeFile(join(folder, WAVEFORM_FILE), peaks.subarray(0, length))
  return [WAVEFORM_FILE]
}

async function chooseShare(
  { outputFolder, playablePath, shareBytesMax: maxBytes = SHARE_FILE_BYTES_MAX }: LadderTask,
  { plan, facts, report }: Input,
): Promise<LadderResult['share']> {
  const { durationSeconds, needsProgressive, playableShortSide, hasSoundApart } = plan
  const { renditions } = facts
  if (needsProgressive) {
    const shortSide = renditions[0]?.name ?? playableShortSide
    if (await isShareable(join(outputFolder, progressiveFileName), { shortSide, maxBytes }))
      return 'best'
  }
  if (await isShareable(playablePath, { shortSide: playableShortSide, maxBytes })) {
    return needsProgressive ? 'playable' : 'best'
  }
  const isMade = await makeShareFile(
    outputFolder,
    { renditions, durationSeconds, maxBytes, soundPath: hasSoundApart ? playablePath : null },
    (fraction) => report(96 + Math.min(fraction, 1) * 3),
  )
  return isMade ? 'file' : null
}
