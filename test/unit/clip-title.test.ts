import { expect, test } from 'vitest'
import { suggestTitles, type TitleFacts } from '#server/video/clip/clip-title.ts'

const FACTS: TitleFacts = {
  title: 'Friday night',
  description: '',
  category: 'Rust',
  tags: [],
  duration: 600,
  comments: [],
  moments: [],
  players: [],
  taken: [],
}
const suggest = (facts: Partial<TitleFacts>) =>
  suggestTitles({ ...FACTS, ...facts }, { start: 100, end: 115 })

test('titles from comments about the moment come first, without times, names and links', () => {
  const comments = [
    '9:00 something else',
    'no time at all',
    '@tom 1:45 - what a shot! And later more https://example.org',
    'lol 1:50',
  ]
  expect(suggest({ comments })).toEqual(['What a shot', 'Lol', 'Friday night'])
})

test('a preposition before the time is left out with it', () => {
  expect(suggest({ comments: ['That landing at 1:45, clean'] })[0]).toBe('That landing, clean')
  expect(suggest({ comments: ['Look at 1:45'] })[0]).toBe('Look')
})

test('titles of other clips of the video, and tags alone, are not suggested', () => {
  expect(suggest({ tags: ['cars'], taken: ['FRIDAY night'] })).toEqual(['Rust clip'])
})

test('comments of symbols only, of great length or about a time after the end give no title', () => {
  const story = 'so we were sitting in the base for about an hour when suddenly somebody came in'
  const comments = [`1:45 ${story}`, '1:45 !!!', '1:45', '99:00 beyond', '1:44 🔥🔥']
  expect(suggest({ comments })).toEqual(['Friday night', 'Rust clip'])
})

test('a comment about a time shortly after the clip counts as about the clip', () => {
  expect(suggest({ comments: ['2:00 clean'] })[0]).toBe('Clean')
  expect(suggest({ comments: ['2:10 clean'] })[0]).toBe('Friday night')
})

test('markers of the recorder come first, then tags with the names of players', () => {
  const facts = { tags: ['rust', 'ace'], players: ['Tom', 'Mia'] }
  expect(suggest({ ...facts, moments: ['Boss fight'] })).toEqual([
    'Boss fight',
    'Ace with Tom and Mia',
    'Friday night',
  ])
  expect(suggest({ players: ['Tom'] })).toEqual(['Friday night', 'Rust with Tom', 'Rust clip'])
  expect(suggest({ players: ['Tom', 'Mia', 'Kai'], category: 'Other' })).toEqual([
    'Friday night',
    'Played with Tom and 2 others',
  ])
})

test('the name of a chapter is suggested, and titles with a date are not', () => {
  const description = '0:00 Start\n1:30 The raid'
  expect(suggest({ description, title: 'Rust, 1 May 2025, 22:48' })).toEqual([
    'The raid',
    'Rust clip',
  ])
  expect(suggest({ title: 'Rust 1 May 2025 22.48' })).toEqual(['Rust clip'])
  for (const title of ['Replay 2026-11-21 20-14-33', 'Rust 2026.11.21 - 20.14.33.02.DVR']) {
    expect(suggest({ title, players: ['Tom'] })).toEqual(['Rust with Tom', 'Rust clip'])
    expect(suggest({ title, category: 'Other' })).toEqual([])
  }
})

test('each title is suggested once and is no longer than the limit', () => {
  expect(suggest({ comments: ['1:45 friday night'] })).toEqual(['Friday night', 'Rust clip'])
  const [long = ''] = suggest({ title: 'A '.repeat(80).trim() })
  expect(long.length).toBeLessThanOrEqual(100)
})
