export const SOUND_KINDS = ['game', 'voice', 'chat', 'music'] as const
export type SoundKind = (typeof SOUND_KINDS)[number]
export const SOUND_KIND_WORDS: Record<SoundKind, string> = {
  game: 'Game',
  voice: 'Voice',
  chat: 'Chat',
  music: 'Music',
}

/** The number of the owner's mix among the tracks of a stream. */
export const MIX_NAME = 'Mix'

export type NamedSound = {
  language: string | null
  name?: string | null | undefined
  kind?: SoundKind | null | undefined
}

/** By kind, recorder's name, language or number. */
export function nameSoundTracks(tracks: readonly NamedSound[]): string[] {
  const names = tracks.map(({ kind, name, language }) =>
    kind ? SOUND_KIND_WORDS[kind] : (name ?? languageName(language)),
  )
  return names.map((name, index) => {
    const isAlone = names.filter((each) => each === name).length === 1
    if (!name) return index === 0 ? 'Default' : `Track ${index + 1}`
    return isAlone ? name : `${name} (track ${index + 1})`
  })
}

const VOICES = /\b(?:mic|microphone|voice|commentary|chat|discord|teamspeak|mumble)\b/i

/** By kind, or the recorder's name. */
export function isVoiceTrack({ kind, name }: Omit<NamedSound, 'language'>): boolean {
  if (kind) return kind === 'voice' || kind === 'chat'
  return name != null && VOICES.test(name)
}

const NAME_MAX = 40
const NAME = /^[A-Za-z0-9 /&+-]+$/
/** Other words may name a person. */
const TELLING_WORDS = new Set(
  'game desktop system pc computer microphone mic aux voice commentary chat discord teamspeak mumble party team music spotify browser media'.split(
    ' ',
  ),
)
const OTHER_WORDS = new Set(
  'audio sound sounds track stream input output capture device speakers headset headphones mix main all other and only'.split(
    ' ',
  ),
)

/** Null where it says nothing or may name a person. */
export function recorderSoundName(title: string): string | null {
  const name = title.trim()
  if (name.length > NAME_MAX || !NAME.test(name)) return null
  const words = name.toLowerCase().match(/[a-z]+|\d+/g) ?? []
  // Mixers call their buses 'A' or 'B1'; several letters may be somebody's initials.
  const isLetter = (word: string) => /^[a-z]$/.test(word)
  if (words.filter(isLetter).length > 1) return null
  const isTelling = (word: string) => TELLING_WORDS.has(word) || isLetter(word)
  const isKnown = (word: string) =>
    isTelling(word) || OTHER_WORDS.has(word) || /^\d{1,2}$/.test(word)
  return words.every(isKnown) && words.some(isTelling) ? name : null
}

/** Shortest BCP 47 tag, such as `de` for `ger`. */
export function languageTag(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null
  } catch {
    return null
  }
}

function languageName(code: string | null): string | undefined {
  if (!code || code === 'und') return undefined
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code)
  } catch {
    return code
  }
}
