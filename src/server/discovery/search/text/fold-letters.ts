const BEYOND_ASCII = /[^ -~\s]/
/** NFKC would append their letters to the name. */
const TRADEMARKS = /[™℠]/gu
/**
 * Soft hyphens, joiners, direction marks, variation selectors, the keycap mark, the Arabic tatweel.
 */
const INVISIBLE = /\p{Cf}|[\ufe00-\ufe0f]|\u20e3|\u0640/gu
/** Often omitted; in other scripts they make another letter. */
const OPTIONAL_MARKS =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+|(?<=[аеиоуыэюя])[\u0300\u0301]|(?<=е)\u0308/gu
const KATAKANA = /[\u30a1-\u30f6]/gu
const KANA_DISTANCE = 0x60
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/gu

/** Letters without a decomposition. */
const SPELLINGS: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ŧ: 't', ŋ: 'n' },
  ...{ ı: 'i', ȷ: 'j', ς: 'σ' },
  // Alef wasla, alef maksura, Persian yeh and kaf, Urdu heh, teh marbuta.
  ...{ '\u0671': '\u0627', '\u0649': '\u064a', '\u06cc': '\u064a', '\u06a9': '\u0643' },
  ...{ '\u06c1': '\u0647', '\u0629': '\u0647' },
}
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'gu')

/** Lower case, NFKC, without optional marks; katakana as hiragana. */
export function foldLetters(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(TRADEMARKS, ' ')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(OPTIONAL_MARKS, '')
    .replace(SPELLED, (letter) => SPELLINGS[letter] ?? letter)
    .replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf))
    .normalize('NFC')
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KANA_DISTANCE))
}
