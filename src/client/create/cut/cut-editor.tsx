import { useEffect, useRef } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { useWaveform } from '#client/kit/timeline/use-waveform.ts'
import { useHasKeys } from '#client/platform/use-has-keys.ts'
import type { CutSource } from '#shared/schemas/cut.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import classes from './cut-editor.module.css'
import { actionOfKey, CUT_KEYS } from './cut-keys.ts'
import { CutStage } from './cut-stage.tsx'
import { CutTools } from './cut-tools.tsx'
import { PartsList } from './parts-list.tsx'
import { SaveBar } from './save/save-bar.tsx'
import type { CutJob } from './save/use-cut-job.ts'
import { CutTimeline } from './timeline/cut-timeline.tsx'
import { useStoryboardTiles } from './timeline/use-storyboard-tiles.ts'
import { useCutEditing } from './use-cut-editing.ts'

type CutEditorProps = {
  video: Video
  source: CutSource
  job: CutJob
  videoUrl: string
  waveformUrl: string | null
  chapters: readonly { title: string; start: number }[]
  /** Ascending seconds. */
  moments: readonly number[]
}

export function CutEditor(props: CutEditorProps) {
  const { video, source, job, videoUrl, waveformUrl, chapters, moments } = props
  const { durationSeconds, frameRate, keyFrameSeconds: keyFrames } = source
  const editing = useCutEditing({ videoId: video.id, durationSeconds, frameRate, moments })
  const { player, state, segments, view, index } = editing
  const tiles = useStoryboardTiles(video.storyboardUrl)
  const peaks = useWaveform(waveformUrl)
  const hasKeys = useHasKeys()
  useKeys(editing)
  return (
    <div className={stack(12)}>
      <CutStage
        player={player}
        videoUrl={videoUrl}
        width={video.width ?? 0}
        height={video.height ?? 0}
        front={state.front}
        isPlaying={state.isPlaying}
        hasFailed={state.hasFailed}
        isDropped={segments[index]?.isKept === false}
      />
      <CutTools editing={editing} />
      <CutTimeline
        durationSeconds={durationSeconds}
        frameSeconds={1 / frameRate}
        segments={segments}
        seconds={state.seconds}
        view={view}
        tiles={tiles}
        peaks={peaks}
        marks={{ keyFrames, chapters, moments }}
        onView={editing.setView}
        onSeek={editing.seek}
        onMove={editing.move}
      />
      <SaveBar video={video} editing={editing} job={job} durationSeconds={durationSeconds} />
      <PartsList editing={editing} />
      {hasKeys && (
        <details className={`${look('note')} ${classes.help}`}>
          <summary>Keys</summary>
          <dl className={classes.keys}>
            {CUT_KEYS.map(({ keys, label }) => (
              <div key={keys}>
                <dt>{keys}</dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
  )
}

/** Leaves keys of fields, dialogs and buttons alone. */
function useKeys(editing: ReturnType<typeof useCutEditing>): void {
  const now = useRef(editing)
  now.current = editing
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !(event.target instanceof Element)) return
      if (event.target.closest('input, textarea, select, [role=dialog], [role=menu]')) return
      const isPress = event.key === ' ' || event.key === 'Enter'
      if (isPress && event.target.closest('button, a, summary')) return
      const action = actionOfKey(event, now.current)
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
