import { describe, expect, test } from 'vitest'
import { cutText } from '#shared/text/cut-text.ts'
import { cutRichText, parseRichText } from '#shared/text/rich-text.ts'
import { cutDescription } from '#shared/text/share-text.ts'

const joined = (text: string) =>
  parseRichText(text)
    .map((token) => token.text)
    .join('')
const found = (text: string) => parseRichText(text).filter((token) => token.kind !== 'text')

describe('parseRichText', () => {
  test('plain text is one token', () => {
    expect(parseRichText('Nice clutch!')).toEqual([{ kind: 'text', text: 'Nice clutch!' }])
    expect(parseRichText('')).toEqual([])
  })

  test('http and https addresses become links', () => {
    expect(found('see https://example.com/a?b=1#c and http://x.org')).toEqual([
      { kind: 'link', text: 'https://example.com/a?b=1#c', href: 'https://example.com/a?b=1#c' },
      { kind: 'link', text: 'http://x.org', href: 'http://x.org/' },
    ])
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x.org',
    'www.x.org',
    'https://',
    'http://:80',
  ])('%s is no link', (text) => expect(found(text)).toEqual([]))

  test.each([
    ['Look: https://x.org/a.', 'https://x.org/a'],
    ['(https://x.org/a)', 'https://x.org/a'],
    ['https://x.org/Rust_(game)', 'https://x.org/Rust_(game)'],
    ['(see https://x.org/Rust_(game)).', 'https://x.org/Rust_(game)'],
    ['https://x.org/a?!', 'https://x.org/a'],
    ['<https://x.org/a>', 'https://x.org/a'],
  ])('the sentence around a link is not part of it: %s', (text, link) => {
    expect(found(text).map((token) => token.text)).toEqual([link])
    expect(joined(text)).toBe(text)
  })

  test('a time, hashtag or mention within a link belongs to the link', () => {
    expect(found('https://x.org/@bob/1:23#frag')).toHaveLength(1)
  })

  test.each([
    ['0:05', 5],
    ['1:23', 83],
    ['at 12:34!', 754],
    ['125:00', 7500],
    ['1:02:03', 3723],
    ['(1:23)', 83],
  ])('%s is a time', (text, seconds) => {
    expect(found(text)).toMatchObject([{ kind: 'time', seconds }])
  })

  test.each([
    '1:60',
    '1:2',
    '1:2:3',
    '12:345',
    'a1:23',
    '1:23pm',
    '1.1:23',
    '1:61:00',
    '0:00:00:00',
  ])('%s is no time', (text) => expect(found(text)).toEqual([]))

  test('a time after the end of the video stays text', () => {
    expect(parseRichText('1:23 and 9:59', { maxSeconds: 100 })).toEqual([
      { kind: 'time', text: '1:23', seconds: 83 },
      { kind: 'text', text: ' and 9:59' },
    ])
  })

  test('hashtags have a letter and stand alone', () => {
    expect(found('#clutch, #1 #v2 a#b #größe ##x &#39; #a')).toEqual([
      { kind: 'hashtag', text: '#clutch', tag: 'clutch' },
      { kind: 'hashtag', text: '#v2', tag: 'v2' },
      { kind: 'hashtag', text: '#größe', tag: 'größe' },
    ])
  })

  test('mentions are names of 3 to 30 characters, without the full stop after them', () => {
    expect(found('@ash_99. hi @al, mail me@x.org, @a-b.c!')).toEqual([
      { kind: 'mention', text: '@ash_99' },
      { kind: 'mention', text: '@a-b.c' },
    ])
  })

  test.each(['.@ash', '_@ash_', '(@ash)', '…@ash', '*@ash*', '- @ash', '"@ash"'])(
    'marks may stand before a mention: %s',
    (text) => {
      expect(found(text)).toEqual([{ kind: 'mention', text: '@ash' }])
    },
  )

  test.each(['ash@ash.org', 'a.@ash.org', 'first_@ash.org', 'Ü-@ash.org', '@@ash'])(
    '%s is an address and mentions nobody',
    (text) => {
      expect(found(text)).toEqual([])
    },
  )

  test('a text is cut between characters as people see them', () => {
    const family = '👨‍👩‍👧‍👦'
    expect(cutText(`ab${family}`, 4)).toBe('ab')
    expect(cutText(`ab${family}`, 2 + family.length)).toBe(`ab${family}`)
    expect(cutText('cafe\u0301s', 4)).toBe('caf')
    expect(cutText('a'.repeat(9), 4)).toBe('aaaa')
    const { text } = cutRichText([{ kind: 'text', text: `${family}🏳️‍🌈x` }], 2)[0] ?? { text: '' }
    expect(text).toBe(`${family}🏳️‍🌈`)
    const shown = cutDescription(`${'a'.repeat(196)}${'👍🏽'.repeat(9)}`)
    expect(shown).toBe(`${'a'.repeat(196)}...`)
  })

  test('nothing is lost or added, line breaks included', () => {
    const text = 'GG @ash\n\n0:42 <b>#ace</b> https://x.org/?q=<script>  \n\t"1:23"'
    expect(joined(text)).toBe(text)
  })

  // Of the square of their number nobody would see the end.
  test.each([
    'https://',
    'http://:80/',
    '#',
    '#1',
    '@a',
    '1:',
    ')',
    `https://x.org/${')'.repeat(400_000)}`,
    `https://x.org/${'(['.repeat(100_000)}${')]'.repeat(100_000)}`,
    `https://x.org/${'.'.repeat(400_000)}`,
  ])('half a million characters of hostile text are parsed in one pass: %.20s', (part) => {
    const text = part.repeat(Math.ceil(500_000 / part.length))
    expect(joined(text) === text).toBe(true)
  })
})

describe('cutRichText', () => {
  const cut = (text: string, length: number) => cutRichText(parseRichText(text), length)

  test('keeps the first characters', () => {
    expect(cut('one two', 3)).toEqual([{ kind: 'text', text: 'one' }])
    expect(cut('one two', 7)).toEqual([{ kind: 'text', text: 'one two' }])
    expect(cut('one', 0)).toEqual([])
  })

  test('a link that is cut still leads to where it led', () => {
    expect(cut('see https://example.com/long', 12)).toEqual([
      { kind: 'text', text: 'see ' },
      { kind: 'link', text: 'https://', href: 'https://example.com/long' },
    ])
  })

  test('no character is cut in half', () => {
    expect(cut('ab😀cd', 3)).toEqual([{ kind: 'text', text: 'ab😀' }])
  })
})
