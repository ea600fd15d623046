import { describe, expect, test } from 'vitest'
import { decodeCaptions } from '#server/video/caption/decode-captions.ts'
import { parseCaptions } from '#server/video/caption/parse-captions.ts'

const parse = (text: string) => parseCaptions(text)
const problemOf = (text: string) => {
  try {
    parse(text)
  } catch (error) {
    return (error as Error).message
  }
}
/** The words of a file's only cue. */
const wordsOf = (text: string) =>
  parse(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`).split('\n').slice(3).join('\n').trimEnd()

describe('WebVTT', () => {
  test('is rewritten with nothing but cues, in their order', () => {
    const text = `\uFEFFWEBVTT - My match
Kind: captions

NOTE a private
remark

STYLE
::cue { background: url(https://evil.example/x) }

REGION
id:fred

second
00:00:03.500 --> 01:00:04.000 align:start position:10% region:fred onclick:1
Later

00:01.000 --> 00:02.000
First
of two lines
`
    expect(parse(text)).toBe(`WEBVTT

00:00:01.000 --> 00:00:02.000
First
of two lines

00:00:03.500 --> 01:00:04.000 align:start position:10%
Later
`)
  })

  test('may have its first cue right after the header, and any line ends', () => {
    expect(parse('WEBVTT\r\n00:01.000 --> 00:02.000\r\nHi\r\n\r\n')).toContain('Hi')
    expect(parse('WEBVTT\r\r1\r00:01.000 --> 00:02.000\rHi')).toContain('Hi')
  })

  test.each([
    ['', 'Line 1'],
    ['WEBVTT', 'no captions'],
    ['WEBVTTX\n\n00:01.000 --> 00:02.000\nHi', 'Line 1 is neither'],
    ['WEBVTT\n\nHello\nthere', 'Line 3 has no time'],
    ['WEBVTT\n\n00:01.000 --> \nHi', 'Line 3 lacks a time'],
    ['WEBVTT\n\nname\n00:0x.000 --> 00:02.000\nHi', 'Line 4 has “00:0x.000”'],
    ['WEBVTT\n\n00:61.000 --> 02:00.000\nHi', 'Line 3 has “00:61.000”'],
    ['WEBVTT\n\n00:02.000 --> 00:02.000\nHi', 'Line 3 ends at 00:02.000'],
    ['WEBVTT\n\n00:02.000 --> 900:00:00.000\nHi', 'Line 3 has a time after 48 hours'],
    ['WEBVTT\n\n00:01.000 --> 00:02.000\n<c></c>{\\an8} \u200b', 'no captions'],
  ])('%j cannot be read, and says where', (text, sentence) => {
    const problem = problemOf(text)
    if (text === '') expect(problem).toBe('The file has no captions in it.')
    else expect(problem).toContain(sentence)
    expect(problem).toMatch(/^[A-Z].*\.$/)
  })
})

describe('SRT', () => {
  test('becomes WebVTT', () => {
    const text = `1
00:00:01,5 --> 00:00:02,750
{\\an8}<font color="#fff">Nice <I>shot</i></font> & more

2
00:00:03,000 --> 00:00:04,000
Wait

- with a gap
3
`
    expect(parse(text)).toBe(`WEBVTT

00:00:01.500 --> 00:00:02.750
Nice <i>shot</i> &amp; more

00:00:03.000 --> 00:00:04.000
Wait
- with a gap
3
`)
  })

  test.each([
    ['Hello', 'Line 1 is neither “WEBVTT” nor'],
    ['\n\n1\n00:00:02,000 --> 00:00:01,000\nHi', 'Line 4 ends at 00:00:01,000'],
    ['1\n00:00:01,000 --> 00:00:02,000\nHi\n\n2\nNo time', 'Line 6 has no time'],
  ])('%j cannot be read, and says where', (text, sentence) => {
    expect(problemOf(text)).toContain(sentence)
  })
})

describe('what is said', () => {
  test.each([
    ['<b onclick="x()">Big</b>', '<b>Big</b>'],
    ['<script>alert(1)</script>Hi<script>', 'Hi'],
    ['<img src=x onerror=alert(1)>Hi', 'Hi'],
    ['<SCRIPT\tsrc=//evil>x</SCRIPT >Hi', 'Hi'],
    ['<scr<script>x</script>ipt>alert(1)', 'alert(1)'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['a < b > c -- >', 'a &lt; b &gt; c -- &gt;'],
    ['i <3 you & me', 'i &lt;3 you &amp; me'],
    ['<c.red><00:00:01.500>Hi<rt>x</c>', 'Hix'],
    ['<v.loud Mary "<b>Ann">Hi', '&lt;v.loud Mary "<b>Ann"&gt;Hi</b>'],
    ['<v.loud Mary & Ann>Hi', '<v Mary &amp; Ann>Hi</v>'],
    ['<b><i>x</b>y</i>', '<b><i>x</i></b>y'],
    ['<u>open', '<u>open</u>'],
    ['&nbsp;x&copy;&amp;', 'x&amp;copy;&amp;'],
    ['a\u202eb\u0000c\u0007', 'abc'],
    ['Cafe\u0301', 'Caf\u00e9'],
  ])('%j is %j', (text, words) => {
    expect(wordsOf(text)).toBe(words)
  })

  test('hostile files take no time to speak of', () => {
    const head = 'WEBVTT\n\n00:01.000 --> 00:02.000\n'
    const mega = (text: string) => text.repeat(Math.floor(300_000 / text.length))
    for (const text of ['<script', '<b>', '</i>', '<b><', '{\\', '&lt;', '<v ', '<1:', '<v. ']) {
      expect(() => parse(`${head}x${mega(text)}`)).not.toThrow()
    }
    const piled = parse(`${head}x${mega('\u0301\u0323')}`).match(/\p{M}/gu)
    expect(piled?.length).toBe(30)
    expect(problemOf(`${head}x${mega('a\n\n')}`)).toContain('one caption too many')
    expect(parse(`${head}${mega('<b>')}x${mega('</i>')}`)).toContain('x')
  })
})

describe('the bytes', () => {
  const text = 'WEBVTT\n\n00:01.000 --> 00:02.000\nÄ ✓\n'
  const le = Buffer.from(text, 'utf16le')

  test.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 BE', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16 LE without a mark', le],
    ['UTF-16 BE without a mark', Buffer.from(le).swap16()],
  ])('may be %s', (_, bytes) => {
    expect(parseCaptions(decodeCaptions(bytes))).toContain('Ä ✓')
  })

  test('of another encoding are refused by line', () => {
    const bytes = Buffer.concat([Buffer.from('WEBVTT\n\n'), Buffer.from([0xc4, 0x20, 0x0a])])
    expect(() => decodeCaptions(bytes)).toThrow(
      'Line 3 is not UTF-8 text. Save the file as UTF-8 and try again.',
    )
    expect(() => decodeCaptions(Buffer.from([0xff, 0xfe, 0x41]))).toThrow('not whole UTF-16')
  })
})
