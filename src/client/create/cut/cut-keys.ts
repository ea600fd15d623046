import type { CutEditing } from './use-cut-editing.ts'

const JUMP_SECONDS = 10

/** Also listed in the help. */
export const CUT_KEYS: { keys: string; label: string }[] = [
  { keys: 'Space, K', label: 'Play or pause' },
  { keys: 'J, L', label: '10 seconds back, on' },
  { keys: ', .', label: 'One frame back, forward' },
  { keys: 'Shift with , .', label: 'One second back, forward' },
  { keys: '↑ ↓', label: 'To the cut before, after' },
  { keys: 'S', label: 'Split at the playhead' },
  { keys: 'Delete', label: 'Remove or keep the part at the playhead' },
  { keys: 'Ctrl+Z, Ctrl+Shift+Z', label: 'Undo, redo' },
  { keys: '+ − 0', label: 'Zoom in, zoom out, show everything' },
  { keys: 'Ctrl+wheel, ⌘+wheel', label: 'Zoom in, zoom out' },
  { keys: 'Shift+wheel', label: 'Along the timeline' },
  { keys: '[ ]', label: 'To the moment before, after' },
]

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

export function actionOfKey(press: Press, editing: CutEditing): (() => void) | undefined {
  const { key, code, shiftKey } = press
  const { player } = editing
  if (press.altKey) return undefined
  if (press.ctrlKey || press.metaKey) {
    if (key.toLowerCase() === 'z') return shiftKey ? editing.redo : editing.undo
    return key.toLowerCase() === 'y' ? editing.redo : undefined
  }
  // With Shift these characters depend on the layout.
  if (key === ',' || code === 'Comma') return () => (shiftKey ? player.skip(-1) : player.step(-1))
  if (key === '.' || code === 'Period') return () => (shiftKey ? player.skip(1) : player.step(1))
  switch (key.toLowerCase()) {
    case ' ':
    case 'k':
      return player.toggle
    case 'j':
      return () => player.skip(-JUMP_SECONDS)
    case 'l':
      return () => player.skip(JUMP_SECONDS)
    case 's':
      return editing.split
    case 'delete':
    case 'backspace':
      return editing.toggleHere
    case 'arrowup':
      return () => editing.toCut(-1)
    case 'arrowdown':
      return () => editing.toCut(1)
    case '[':
      return () => editing.toMoment(-1)
    case ']':
      return () => editing.toMoment(1)
    case '+':
    case '=':
      return () => editing.zoom(0.5)
    case '-':
      return () => editing.zoom(2)
    case '0':
      return editing.fit
  }
}
