import { useEffect, useRef, useState } from 'react'
import { deviceStorage } from '#client/platform/browser-storage.ts'
import { addCut, type Cut, readCuts } from './cut-list.ts'
import type { Squad } from './squad.ts'

const LOOK_EVERY_MS = 200
/** A greater step of the clock is a jump of the viewer. */
const JUMP_SECONDS = 2

/** The cut list of a squad view, which stays on this device, and how it is recorded. */
export function useCuts(squad: Squad, viewId: number) {
  const key = `clutch-cuts-${viewId}`
  const [cuts, setCuts] = useState(() => readCuts(deviceStorage.read(key)))
  const [isRecording, setRecording] = useState(false)
  useEffect(() => deviceStorage.write(key, JSON.stringify(cuts)), [key, cuts])
  const add = useRef((cut: Cut) => setCuts((before) => addCut(before, cut)))
  useEffect(() => (isRecording ? recordCuts(squad, add.current) : undefined), [isRecording, squad])
  return { cuts, setCuts, isRecording, setRecording }
}

/** @returns a stop function */
function recordCuts({ clock, store }: Squad, add: (cut: Cut) => void): () => void {
  let videoId = store.get().largeId
  let fromSeconds = clock.now()
  let latest = fromSeconds
  const begin = () => {
    videoId = store.get().largeId
    fromSeconds = clock.now()
    latest = fromSeconds
  }
  const end = (toSeconds: number) => add({ videoId, fromSeconds, toSeconds })
  const look = () => {
    const now = clock.now()
    const hasJumped = now < latest - 0.5 || now > latest + JUMP_SECONDS
    if (hasJumped) {
      end(latest)
      begin()
    }
    latest = now
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  const unsubscribe = store.subscribe(() => {
    if (store.get().largeId === videoId) return
    look()
    end(clock.now())
    begin()
  })
  return () => {
    look()
    end(clock.now())
    clearInterval(timer)
    unsubscribe()
  }
}
