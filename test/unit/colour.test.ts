import { expect, test } from 'vitest'
import { accentOn, contrastOf, isColour, toColour } from '#shared/colour.ts'

test('contrast is that of WCAG', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 1)
})

test.each(['#000000', '#ffffff', '#c8ff3e', '#ff0000', '#0000ff', '#808080', '#ffff00'])(
  'an accent of %s can be read on both sides of the theme, and written on',
  (chosen) => {
    for (const [scheme, surface] of [
      ['dark', '#12151c'],
      ['light', '#ffffff'],
    ] as const) {
      const { mark, fill, ink } = accentOn(scheme, chosen)
      expect(contrastOf(mark, surface)).toBeGreaterThanOrEqual(4.5)
      expect(contrastOf(fill, ink)).toBeGreaterThanOrEqual(4.5)
      expect(fill).not.toBe(surface)
    }
  },
)

test('an accent that reads well stays as it was chosen', () => {
  expect(accentOn('dark', '#C8FF3E').mark).toBe('#c8ff3e')
  expect(accentOn('light', '#C8FF3E').fill).toBe('#c8ff3e')
})

test('a colour is six digits', () => {
  expect([isColour('#a1B2c3'), isColour('#abc'), isColour('red')]).toEqual([true, false, false])
})

test('a colour may be typed with three digits and in capitals', () => {
  expect(['#abc', ' #A1B2C3 ', '#abcd', 'red', ''].map(toColour)).toEqual([
    ...['#aabbcc', '#a1b2c3', undefined, undefined, undefined],
  ])
})
