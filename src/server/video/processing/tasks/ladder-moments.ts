import { type Difference, findSceneChanges } from '../picture/scene-changes.ts'
import { findLoudPassages } from '../sound/loud-passages.ts'
import type { Loudness } from '../sound/loudness.ts'
import { readChapters } from '../source/chapters.ts'
import { closeSource, openSource } from '../source/open-source.ts'
import { roundToMs } from '../source/packet-tally.ts'
import type { LadderPlan } from './ladder-plan.ts'
import type { FoundMoment, LadderTask } from './media-task.ts'

const leastSeconds = 30

export async function gatherMoments(
  { sourcePath }: LadderTask,
  found: { plan: LadderPlan; loudness: Loudness; differences: Difference[] },
): Promise<FoundMoment[]> {
  const { plan, loudness, differences } = found
  if (plan.durationSeconds < leastSeconds) return []
  const source = await openSource(sourcePath)
  closeSource(source)
  const chapters = await readChapters(sourcePath, source)
  const outliers = [
    ...findLoudPassages(loudness.momentary).map((one) => ({ ...one, source: 'loud' as const })),
    ...findSceneChanges(differences).map((one) => ({ ...one, source: 'scene' as const })),
  ]
  return [
    ...chapters.map(({ seconds, title }) => ({
      source: 'chapter' as const,
      atSeconds: roundToMs(seconds),
      weight: 1,
      title,
    })),
    ...outliers.map(({ seconds, ...one }) => ({
      ...one,
      atSeconds: roundToMs(seconds),
      title: null,
    })),
  ].filter(({ atSeconds }) => atSeconds < plan.durationSeconds)
}
