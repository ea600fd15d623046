import { describe, expect, test } from 'vitest'
import { decodeCaptions } from '#server/video/caption-text/decode-captions.ts'
import { parseCaptions } from '#server/video/caption-text/parse-captions.ts'

const parse = (text: string) => parseCaptions(text).text
const noticeOf = (text: string) => parseCaptions(text).notice
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

  test('a line of spaces is part of a cue, as in automatic captions of the large video site', () => {
    const text = `WEBVTT
Kind: captions
Language: en

00:00:00.030 --> 00:00:01.720 align:start position:0%
 
we<00:00:00.719><c> push</c><00:00:00.930><c> mid</c>

00:00:01.720 --> 00:00:01.730 align:start position:0%
we push mid
 

00:00:01.730 --> 00:00:03.500 align:start position:0%
we push mid
and<00:00:02.000><c> plant</c>
`
    expect(parse(text)).toBe(`WEBVTT

00:00:00.030 --> 00:00:01.720 align:start position:0%
we push mid

00:00:01.720 --> 00:00:01.730 align:start position:0%
we push mid

00:00:01.730 --> 00:00:03.500 align:start position:0%
we push mid
and plant
`)
  })

  test('cues may follow each other without an empty line, or with spaces in it', () => {
    const cues =
      '00:01.000 --> 00:02.000\nA\n \t\n2\n00:02.000 --> 00:03.000\nB\n00:03.000 --> 00:04.000\nC'
    expect(parse(`WEBVTT\n \n${cues}`)).toBe(`WEBVTT

00:00:01.000 --> 00:00:02.000
A

00:00:02.000 --> 00:00:03.000
B

00:00:03.000 --> 00:00:04.000
C
`)
  })

  test.each([
    'line:0',
    'line:-1',
    'line:10%,start',
    'line:5,end',
    'position:20%,line-left',
    'position:100%',
    'size:33.3%',
    'vertical:rl',
  ])('%s is kept', (setting) => {
    expect(parse(`WEBVTT\n\n00:01.000 --> 00:02.000 ${setting}\nHi`)).toContain(
      `02.000 ${setting}\n`,
    )
  })

  test.each(['line:101%', 'position:20', 'line:1,line-left', 'region:a', 'size:1000%', 'x'])(
    '%s is left out',
    (setting) => {
      expect(parse(`WEBVTT\n\n00:01.000 --> 00:02.000 ${setting}\nHi`)).toContain('02.000\nHi')
    },
  )

  test('cues that end before they start are left out and named', () => {
    const good = '00:01.000 --> 00:02.000\nHi\n\n'
    const bad = '00:05.000 --> 00:04.000\nNo\n\n'
    expect(parse(`WEBVTT\n\n${good}${bad}`)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n')
    expect(noticeOf(`WEBVTT\n\n${good}`)).toBeUndefined()
    expect(noticeOf(`WEBVTT\n\n${good}${bad}`)).toBe(
      'One caption was left out: line 6 ends at 00:04.000, which is not after its beginning.',
    )
    expect(noticeOf(`WEBVTT\n\n${bad}${good}${bad}`)).toMatch(
      /^2 captions were left out\. .* line 3 /,
    )
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

  const TWO_CUES = `WEBVTT

00:00:01.000 --> 00:00:02.500
Hello

00:00:03.000 --> 00:00:04.000
World
`
  const srt = '1\n00:00:01,000 --> 00:00:02,500\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nWorld\n'

  test.each([
    ['line ends converted twice', srt.replaceAll('\n', '\r\r\n')],
    ['an empty line after every line', srt.replaceAll('\n', '\n\n')],
    ['no empty lines', srt.replaceAll('\n\n', '\n')],
    ['no numbers', srt.replaceAll(/^\d\n/gm, '')],
    ['a number that nothing follows', `${srt}\n3\n`],
  ])('is read with %s', (_, text) => {
    expect(parse(text)).toBe(TWO_CUES)
  })

  test('is read with times that have no fraction, and with words that are a number', () => {
    expect(parse('1\n00:00:01 --> 00:00:02\nHi\n\n42\n\nBye\n')).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n42\nBye\n',
    )
  })

  test('a cue of no length is left out and named', () => {
    const text = `${srt}\n3\n00:00:05,000 --> 00:00:05,000\nGone\n\nand its words\n`
    expect(parse(text)).toBe(TWO_CUES)
    expect(noticeOf(text)).toContain('line 10 ends at 00:00:05,000')
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

  test('a million line ends are read at once', () => {
    expect(problemOf('\r'.repeat(1_000_000))).toBe('The file has no captions in it.')
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
    expect(parse(decodeCaptions(bytes))).toContain('Ä ✓')
  })

  test('of another encoding are refused by line', () => {
    const bytes = Buffer.concat([Buffer.from('WEBVTT\n\n'), Buffer.from([0xc4, 0x20, 0x0a])])
    expect(() => decodeCaptions(bytes)).toThrow(
      'Line 3 is not UTF-8 text. Save the file as UTF-8 and try again.',
    )
    expect(() => decodeCaptions(Buffer.from([0xff, 0xfe, 0x41]))).toThrow('not whole UTF-16')
  })
})
