import { useEffect, useState, useSyncExternalStore } from 'react'
import { hasDropped, indexAt, keptParts } from './cut-edit.ts'
import { createCutPlayer } from './cut-player.ts'
import { followView, wholeView, zoomView } from './timeline/timeline-view.ts'
import { useCutEdit } from './use-cut-edit.ts'

/** Closer times are the same place. */
const NEAR_SECONDS = 0.02

type Options = {
  videoId: number
  durationSeconds: number
  frameRate: number
  moments: readonly number[]
}

export type CutEditing = ReturnType<typeof useCutEditing>

export function useCutEditing({ videoId, durationSeconds, frameRate, moments }: Options) {
  const { edit, act } = useCutEdit(videoId, durationSeconds)
  const { segments } = edit
  const [kept, setKept] = useState({ segments, parts: keptParts(segments) })
  if (kept.segments !== segments) setKept({ segments, parts: keptParts(segments) })
  const { parts } = kept
  const [player] = useState(() => createCutPlayer({ durationSeconds, frameRate }))
  useEffect(() => player.setParts(parts), [player, parts])
  const state = useSyncExternalStore(player.store.subscribe, player.store.get)
  const { seconds } = state
  const [chosenView, setView] = useState(() => wholeView(durationSeconds))
  const [followed, setFollowed] = useState(seconds)
  const view =
    followed === seconds ? chosenView : followView(chosenView, { seconds, durationSeconds })
  if (followed !== seconds) {
    setFollowed(seconds)
    setView(view)
  }
  const index = indexAt(segments, seconds)
  const toNeighbour = (times: readonly number[], direction: 1 | -1) => {
    const time =
      direction > 0
        ? times.find((one) => one > seconds + NEAR_SECONDS)
        : times.findLast((one) => one < seconds - NEAR_SECONDS)
    if (time !== undefined) player.seek(time)
  }
  const toFrame = (time: number) => Math.round(time * frameRate) / frameRate
  return {
    ...{ edit, act, segments, parts, player, state, view, setView, index },
    isChanged: hasDropped(segments),
    split: () => act({ kind: 'split', atSeconds: toFrame(seconds) }),
    move: (cut: number, toSeconds: number, drag?: string) =>
      act({
        kind: 'move',
        index: cut,
        toSeconds: toFrame(toSeconds),
        ...(drag !== undefined && { drag }),
      }),
    /** Snaps to a frame. */
    seek: (time: number) => player.seek(toFrame(time)),
    toggleHere: () => act({ kind: 'toggle', index }),
    undo: () => act({ kind: 'undo' }),
    redo: () => act({ kind: 'redo' }),
    toCut: (direction: 1 | -1) =>
      toNeighbour([...segments.map(({ fromSeconds }) => fromSeconds), durationSeconds], direction),
    toMoment: (direction: 1 | -1) => toNeighbour(moments, direction),
    zoom: (factor: number) =>
      setView(zoomView(view, { factor, atSeconds: seconds, durationSeconds })),
    fit: () => setView(wholeView(durationSeconds)),
  }
}
