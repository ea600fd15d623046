import type { CutResult, CutTask, Report } from './media-task.ts'

export async function cutVideo(task: CutTask, _report: Report): Promise<CutResult> {
  throw new Error(`Not yet: ${task.kind}`)
}
