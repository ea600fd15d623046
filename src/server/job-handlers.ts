import { alignSquadView } from './community/squad-view/align-job.ts'
import { makeClipFiles } from './video/clip/clip-job.ts'
import { cutRecording } from './video/cut/cut-job.ts'
import type { JobHandlers } from './video/job/job-run.ts'
import { makeMontageVideo } from './video/montage/montage-job.ts'
import { makeLadderOfVideo } from './video/preparation/ladder-job.ts'
import { transcodeVideo } from './video/preparation/transcode-job.ts'
import { makeSoundMix } from './video/sound-mix/sound-mix-job.ts'

export const jobHandlers: JobHandlers = {
  transcode: transcodeVideo,
  ladder: makeLadderOfVideo,
  cut: cutRecording,
  clip: makeClipFiles,
  montage: makeMontageVideo,
  align: alignSquadView,
  mix: makeSoundMix,
}
