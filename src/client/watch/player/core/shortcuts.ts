import type { Player } from './player.ts'

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>

const SEEK_SECONDS = 5
const JUMP_SECONDS = 10

/**
 * As on large video sites.
 * @returns undefined without an action. The space bar is handled separately, because it can be
 * held.
 */
export function actionOfKey(press: KeyPress, player: Player): (() => void) | undefined {
  const { key, shiftKey, ctrlKey } = press
  if (press.altKey || press.metaKey) return undefined
  if (ctrlKey) return chapterAction(key, player)
  if (shiftKey && key.length === 1 && /[a-z]/i.test(key)) {
    const { playNext: n, playPrevious: p, toggleCaptions: c } = player
    return { n, p, c }[key.toLowerCase()]
  }
  if (/^[0-9]$/.test(key)) return () => player.seekToTenth(Number(key))
  switch (key.toLowerCase()) {
    case 'k':
      return player.togglePlay
    case 'j':
      return () => player.skip(-JUMP_SECONDS)
    case 'l':
      return () => player.skip(JUMP_SECONDS)
    case 'arrowleft':
      return () => player.skip(-SEEK_SECONDS)
    case 'arrowright':
      return () => player.skip(SEEK_SECONDS)
    case 'arrowup':
      return () => player.stepVolume(1)
    case 'arrowdown':
      return () => player.stepVolume(-1)
    case 'home':
      return () => player.seekToTenth(0)
    case 'end':
      return () => player.seekToTenth(10)
    case ',':
      return () => player.stepFrame(-1)
    case '.':
      return () => player.stepFrame(1)
    case '<':
      return () => player.stepRate(-1)
    case '>':
      return () => player.stepRate(1)
    case '[':
      return momentAction(-1, player)
    case ']':
      return momentAction(1, player)
    case 'b':
      return player.core.surroundings.onMark ? player.markMoment : undefined
    case 'm':
      return player.toggleMute
    case 'f':
      return player.toggleFullScreen
    case 't':
      return player.toggleTheatre
    case 'i':
      return () => void player.togglePictureInPicture()
    case 'c':
      return player.core.onClip ?? player.toggleCaptions
    case '?':
      return () => player.setOverlay('help')
  }
}

function chapterAction(key: string, player: Player): (() => void) | undefined {
  if (player.core.surroundings.chapters.length === 0) return undefined
  if (key === 'ArrowLeft') return () => player.stepChapter(-1)
  if (key === 'ArrowRight') return () => player.stepChapter(1)
}

function momentAction(direction: 1 | -1, player: Player): (() => void) | undefined {
  if (player.core.surroundings.moments.length === 0) return undefined
  return () => player.stepMoment(direction)
}

type Shortcut = {
  keys: string[]
  label: string
  /** Only where clips can be made. */
  needsClips?: boolean
  needsReactions?: boolean
}

/** For the help sheet; each inner list is one alternative. */
export const SHORTCUTS: { title: string; items: Shortcut[] }[] = [
  {
    title: 'Play',
    items: [
      { keys: ['Space', 'k'], label: 'Play or pause' },
      { keys: ['hold Space'], label: 'Play at 2×' },
      { keys: ['<', '>'], label: 'Slower, faster' },
      { keys: ['Shift+N'], label: 'Next video' },
      { keys: ['Shift+P'], label: 'Previous video of a list' },
    ],
  },
  {
    title: 'Go to',
    items: [
      { keys: ['←', '→'], label: 'Back or forward 5 s' },
      { keys: ['j', 'l'], label: 'Back or forward 10 s' },
      { keys: [',', '.'], label: 'Previous, next frame (paused)' },
      { keys: ['0', '…', '9'], label: 'To 0% … 90%' },
      { keys: ['Home', 'End'], label: 'To the start, the end' },
      { keys: ['Ctrl+←', 'Ctrl+→'], label: 'Previous, next chapter' },
      { keys: ['[', ']'], label: 'Previous, next moment' },
      { keys: ['b'], label: 'Mark this moment' },
      { keys: ['Alt+1', '…', 'Alt+6'], label: 'React', needsReactions: true },
    ],
  },
  {
    title: 'Sound',
    items: [
      { keys: ['↑', '↓'], label: 'Volume, in the player' },
      { keys: ['m'], label: 'Mute' },
      { keys: ['Shift+C'], label: 'Captions' },
    ],
  },
  {
    title: 'Screen',
    items: [
      { keys: ['f'], label: 'Full screen' },
      { keys: ['t'], label: 'Theatre' },
      { keys: ['i'], label: 'Picture in picture' },
      { keys: ['c'], label: 'Make a clip', needsClips: true },
      { keys: ['?'], label: 'This list' },
    ],
  },
]
