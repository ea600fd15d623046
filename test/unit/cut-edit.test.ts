import { expect, test } from 'vitest'
import {
  type CutAction,
  type CutEdit,
  keptParts,
  newEdit,
  readEdit,
  reduceEdit,
  SEGMENT_MIN,
  writeEdit,
} from '#client/create/cut/cut-edit.ts'

const after = (actions: CutAction[], from = newEdit(60)) => actions.reduce(reduceEdit, from)
/** 'a' for a kept segment's ends, in brackets for a dropped one's. */
const show = ({ segments }: CutEdit) =>
  segments
    .map(({ fromSeconds, toSeconds, isKept }) => {
      const ends = `${fromSeconds}-${toSeconds}`
      return isKept ? ends : `(${ends})`
    })
    .join(' ')

const dropMiddle: CutAction[] = [
  { kind: 'split', atSeconds: 10 },
  { kind: 'split', atSeconds: 20 },
  { kind: 'toggle', index: 1 },
]

test('a video is split, and a segment dropped and restored', () => {
  const edit = after(dropMiddle)
  expect(show(edit)).toBe('0-10 (10-20) 20-60')
  expect(keptParts(edit.segments)).toEqual([
    { fromSeconds: 0, toSeconds: 10 },
    { fromSeconds: 20, toSeconds: 60 },
  ])
  const back = after([{ kind: 'toggle', index: 1 }], edit)
  expect(keptParts(back.segments)).toEqual([{ fromSeconds: 0, toSeconds: 60 }])
})

test('an edge moves between its neighbours and not beyond them', () => {
  const edit = after(dropMiddle)
  const move = (toSeconds: number) => show(after([{ kind: 'move', index: 1, toSeconds }], edit))
  expect(move(12)).toBe('0-12 (12-20) 20-60')
  expect(move(100)).toBe(`0-${20 - SEGMENT_MIN} (${20 - SEGMENT_MIN}-20) 20-60`)
  expect(move(-5)).toBe(`0-${SEGMENT_MIN} (${SEGMENT_MIN}-20) 20-60`)
})

test('what changes nothing is not there to be undone', () => {
  const edit = after(dropMiddle)
  for (const action of [
    { kind: 'split', atSeconds: 10 },
    { kind: 'split', atSeconds: 60 },
    { kind: 'toggle', index: 9 },
    { kind: 'move', index: 0, toSeconds: 5 },
    { kind: 'move', index: 1, toSeconds: 10 },
    { kind: 'join', index: 0 },
    { kind: 'redo' },
  ] satisfies CutAction[]) {
    expect(reduceEdit(edit, action), action.kind).toBe(edit)
  }
  expect(reduceEdit(newEdit(60), { kind: 'undo' })).toEqual(newEdit(60))
})

test('a thousand steps are undone and done again one by one, and a drag at once', () => {
  const splits = Array.from({ length: 1000 }, (_, index) => ({
    kind: 'split' as const,
    atSeconds: (index + 1) * 0.2,
  }))
  const edit = after(splits, newEdit(3600))
  expect(edit.segments).toHaveLength(1001)
  const undone = after(
    splits.map(() => ({ kind: 'undo' })),
    edit,
  )
  expect(show(undone)).toBe('0-3600')
  const redone = after(
    splits.map(() => ({ kind: 'redo' })),
    undone,
  )
  expect(redone.segments).toEqual(edit.segments)

  const drag = (toSeconds: number, name: string): CutAction => ({
    kind: 'move',
    index: 1,
    toSeconds,
    drag: name,
  })
  const dragged = after([drag(11, 'a'), drag(12, 'a'), drag(13, 'b')], after(dropMiddle))
  expect(show(after([{ kind: 'undo' }], dragged))).toBe('0-12 (12-20) 20-60')
  expect(show(after([{ kind: 'undo' }, { kind: 'undo' }], dragged))).toBe('0-10 (10-20) 20-60')
})

test('segments are joined, and the whole is kept again; both can be undone', () => {
  const edit = after(dropMiddle)
  expect(show(after([{ kind: 'join', index: 2 }], edit))).toBe('0-10 (10-60)')
  const whole = after([{ kind: 'reset' }], edit)
  expect(show(whole)).toBe('0-60')
  expect(show(after([{ kind: 'undo' }], whole))).toBe(show(edit))
})

test('an edit is taken up again only for a video of its length', () => {
  const edit = after(dropMiddle)
  expect(readEdit(writeEdit(edit), 60)?.segments).toEqual(edit.segments)
  for (const text of [null, 'x', '[]', '[1]', '[{"fromSeconds":1,"toSeconds":60,"isKept":true}]']) {
    expect(readEdit(text, 60)).toBeUndefined()
  }
  expect(readEdit(writeEdit(edit), 61)).toBeUndefined()
})
