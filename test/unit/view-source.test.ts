import { expect, test } from 'vitest'
import { classifyReferrer } from '#shared/view-source.ts'

const ORIGIN = 'https://clips.example.org'

test.each([
  ['', 'direct'],
  ['not an address', 'direct'],
  [`${ORIGIN}/search?q=ace`, 'site'],
  ['https://www.google.co.uk/', 'search'],
  ['https://duckduckgo.com/', 'search'],
  ['https://search.brave.com/', 'search'],
  ['https://notgoogle.com/', 'external'],
  ['https://discord.com/channels/1', 'external'],
])('%j is %s', (referrer, source) => {
  expect(classifyReferrer(referrer, ORIGIN)).toBe(source)
})
