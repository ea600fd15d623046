import { useEffect, useReducer } from 'react'
import { newEdit, readEdit, reduceEdit, writeEdit } from './cut-edit.ts'

/** Survives a reload of the tab. */
export function useCutEdit(videoId: number, durationSeconds: number) {
  const name = `clutch-cut-${videoId}`
  const [edit, act] = useReducer(
    reduceEdit,
    durationSeconds,
    (duration) => readEdit(read(name), duration) ?? newEdit(duration),
  )
  useEffect(() => write(name, writeEdit(edit)), [name, edit])
  return { edit, act }
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(name)
  } catch {
    return null
  }
}

function write(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text)
  } catch {
    // Without storage the page asks before leaving.
  }
}
