import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/platform/errors.ts'
import { CAPTIONS_LABEL_MAX } from '#shared/limits.ts'
import { languageTag } from '#shared/sound-tracks.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { tidyLine } from '#shared/text/shown-text.ts'
import { nameOf, UNKNOWN_LANGUAGE } from '../caption-text/caption-language.ts'
import { readCaptions } from '../caption-text/read-captions.ts'
import type { PrepareResult } from '../processing/tasks/media-task.ts'

export type EmbeddedCaptions = { file: string; language: string; label: string }

/**
 * Skips unreadable ones.
 * @param input.keepsNames track names may be labels
 */
export async function cleanTextTracks(input: {
  folder: string
  texts: PrepareResult['texts']
  memberId: number
  keepsNames: boolean
}): Promise<EmbeddedCaptions[]> {
  const { folder, texts, memberId, keepsNames } = input
  const captions: EmbeddedCaptions[] = []
  for (const { file, ...said } of texts) {
    const path = join(folder, file)
    const read = await readCaptions(await readFile(path), memberId).catch((error) => {
      if (error instanceof AppError) return undefined
      throw error
    })
    if (!read) continue
    await writeFile(path, read.text)
    const language = (said.language && languageTag(said.language)) ?? UNKNOWN_LANGUAGE
    const name = keepsNames ? tidyLine(said.name ?? '') : ''
    const label = findLabel(name || nameOf(language), captions)
    captions.push({ file, language, label })
  }
  return captions
}

function findLabel(wanted: string, others: readonly EmbeddedCaptions[]): string {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`
    const label = cutText(wanted, CAPTIONS_LABEL_MAX - ending.length).trim() + ending
    if (!others.some((one) => one.label === label)) return label
  }
}
