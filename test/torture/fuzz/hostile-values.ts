/** Texts that have broken servers before. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...['\udc00 half', '\u202egnp.exe', '\u200b\u2060\ufeff', '\r\nSet-Cookie: clutch=1', '１'],
  ...['x'.repeat(101), 'x'.repeat(5001), 'x'.repeat(60_000), 'x\ud800y'.repeat(40)],
  ...['💥'.repeat(60), `e${'\u0301'.repeat(300)}`, 'http://'.repeat(700), '1:23 '.repeat(900)],
  ...['@'.repeat(4000), 'a'.repeat(64) + '@'.repeat(64), '(a+)+$'.repeat(20)],
  ...["' OR 1=1 --", '"; DROP TABLE users; --', 'AND OR NOT NEAR(', 'title:*', '*', '"', '^', '_'],
  ...['{{7*7}} <%= 7*7 %>', '<script>alert(1)</script>', '](javascript:alert(1))'],
  ...['javascript:alert(1)', 'http://127.0.0.1:1/', 'file:///etc/passwd', 'C:\\windows\\win.ini'],
  ...['../../../../etc/passwd', '..%2f..%2fclutch.db', 'CON', '[object Object]', 'undefined'],
  ...['1e999', '0x10', '01', '9007199254740993', '18446744073709551616', 'Infinity', 'null'],
  ...['2026-13-45T99:99:99.999Z', '0000-00-00', '+275760-09-13T00:00:00.001Z'],
]

/** As they stand in JSON, though some may not. */
export const HOSTILE_TOKENS: readonly string[] = [
  ...['-0', '1e3', '9007199254740993', '18446744073709551616', '4294967297', '1e999', '0.1e-400'],
  ...[
    'NaN',
    'Infinity',
    '01',
    '.5',
    'undefined',
    '"\\ud83d"',
    '"\\u0000"',
    '"\\x"',
    '['.repeat(9000),
  ],
  ...[`${'['.repeat(5000)}${']'.repeat(5000)}`, `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`],
  ...['{"__proto__":{"isAdmin":true}}', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ...['{"then":"x"}', '{"toString":1,"valueOf":1}', '{"length":4294967295}'],
  `[${'0,'.repeat(9000)}0]`,
]

/** Keys that objects have without being given them. */
export const HOSTILE_KEYS: readonly string[] = [
  ...['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'toJSON', 'then'],
  ...['0', '', 'isAdmin', 'userId', 'viewer'],
]

/** Parts of an address that are no part of any. */
export const HOSTILE_PATH_PARTS: readonly string[] = [
  ...['%00', '%0', '%', '%zz', '%E0%A4%A', '%C0%AF', '%ED%A0%80', '%FF%FE', '%F0%9F%92%A5'],
  ...['..', '.', '%2e%2e%2f%2e%2e%2fetc%2fpasswd', '..%5c..%5cclutch.db', '%252e%252e', ''],
  ...['*', ';a=b', ',', 'a,b', '%2C', '%2F', '%0d%0aX-Injected:%201', '__proto__', 'constructor'],
  ...['~', '-1', '0', '1e3', '9007199254740992', 'x'.repeat(300), 'x'.repeat(5100)],
  ...["'", '"', '[]', '{}', '|'],
]
