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
}
const suggest = (facts: Partial<TitleFacts>) =>
  suggestTitles({ ...FACTS, ...facts }, { start: 100, end: 115 })

test('what a comment says of the moment comes first, without its time, names and links', () => {
  const comments = [
    '9:00 something else',
    'no time at all',
    '@tom 1:45 - what a shot! And later more https://example.org',
    'lol 1:50',
  ]
  expect(suggest({ comments })).toEqual(['What a shot', 'Lol', 'Friday night'])
})

test('a comment of signs, of a whole story, or of a time after the end is none', () => {
  const story = 'so we were sitting in the base for about an hour when suddenly somebody came in'
  const comments = [`1:45 ${story}`, '1:45 !!!', '1:45', '99:00 beyond', '1:44 🔥🔥']
  expect(suggest({ comments })).toEqual(['Friday night', 'Rust clip'])
})

test('people react a little later than what they mean', () => {
  expect(suggest({ comments: ['2:00 clean'] })[0]).toBe('Clean')
  expect(suggest({ comments: ['2:10 clean'] })[0]).toBe('Friday night')
})

test('a recorder’s word for the moment goes before all, then tags, with who played', () => {
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

test('a chapter is one, and no title has a time', () => {
  const description = '0:00 Start\n1:30 The raid'
  expect(suggest({ description, title: 'Rust, 1 May 2025, 22:48' })).toEqual([
    'The raid',
    'Rust clip',
  ])
  for (const title of ['Replay 2026-11-21 20-14-33', 'Rust 2026.11.21 - 20.14.33.02.DVR']) {
    expect(suggest({ title, players: ['Tom'] })).toEqual(['Rust with Tom', 'Rust clip'])
    expect(suggest({ title, category: 'Other' })).toEqual([])
  }
})

test('each stands once, and none is longer than a title may be', () => {
  expect(suggest({ comments: ['1:45 friday night'] })).toEqual(['Friday night', 'Rust clip'])
  const [long = ''] = suggest({ title: 'A '.repeat(80).trim() })
  expect(long.length).toBeLessThanOrEqual(100)
})
