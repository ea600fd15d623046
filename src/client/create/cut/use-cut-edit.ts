import { useEffect, useReducer } from 'react'
import { tabStorage } from '#client/platform/browser-storage.ts'
import { newEdit, readEdit, reduceEdit, writeEdit } from './cut-edit.ts'

/** Survives a reload of the tab; without storage the page asks before leaving. */
export function useCutEdit(videoId: number, durationSeconds: number) {
  const name = `clutch-cut-${videoId}`
  const [edit, act] = useReducer(
    reduceEdit,
    durationSeconds,
    (duration) => readEdit(tabStorage.read(name), duration) ?? newEdit(duration),
  )
  useEffect(() => tabStorage.write(name, writeEdit(edit)), [name, edit])
  return { edit, act }
}
