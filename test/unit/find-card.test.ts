import { expect, test } from 'vitest'
import { findCard } from '#client/platform/place/find-card.ts'

/** A card e with what stood around it. */
const E = { keys: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], index: 4 }
const OTHERS = Array.from({ length: 40 }, (_, index) => `other ${index}`)

test('a card is found again, however many have come before it', () => {
  expect(findCard(E.keys, E)).toMatchObject({ at: 4, kind: 'same' })
  expect(findCard([...OTHERS, ...E.keys], E)).toMatchObject({ at: 44, kind: 'same' })
  expect(findCard(['e'], { keys: ['e'], index: 0 })).toMatchObject({ at: 0, kind: 'same' })
})

test('of a card that is gone the next one takes its place, and a previous one where there is none', () => {
  expect(findCard(['a', 'd', 'g', 'h'], E)).toMatchObject({ at: 2, kind: 'next' })
  expect(findCard(['x', 'a', 'b', 'c'], E)).toMatchObject({ at: 3, kind: 'previous' })
  expect(findCard(OTHERS, E)).toBeUndefined()
  expect(findCard([], E)).toBeUndefined()
})

test('a card that moved away from its neighbours does not take the page along', () => {
  const history = ['e', ...OTHERS, 'c', 'd', 'f', 'g']
  expect(findCard(history, E)).toMatchObject({ at: history.indexOf('f'), kind: 'next' })
})

test('a card that became the first of a list leaves the page where its neighbours are', () => {
  for (const index of [1, 3, 9]) {
    const list = Array.from({ length: 30 }, (_, number) => `card ${number}`)
    const first = Math.max(0, index - 4)
    const card = { keys: list.slice(first, index + 9), index: index - first }
    const moved = [`card ${index}`, ...list.filter((one) => one !== `card ${index}`)]
    expect(findCard(moved, card)).toEqual({
      at: index + 1,
      kind: 'next',
      index: card.index + 1,
      hasMoved: true,
    })
  }
  // Ranked anew, it is still among them.
  expect(findCard(['a', 'b', 'c', 'e', 'd', 'f', 'g', 'h'], E)).toMatchObject({
    at: 3,
    kind: 'same',
  })
})

test('of a card that is in a shelf and in the grid, the one among its neighbours counts', () => {
  const page = ['x', 'e', 'y', ...OTHERS, ...E.keys]
  expect(findCard(page, E)).toMatchObject({ at: page.lastIndexOf('e'), kind: 'same' })
  const gridFirst = [...E.keys, ...OTHERS, 'x', 'e', 'y']
  expect(findCard(gridFirst, E)).toMatchObject({ at: 4, kind: 'same' })
})
