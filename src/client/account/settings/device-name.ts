const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ .*Safari\//, 'Safari'],
]

// Phones and tablets also name a desktop system, so they come first.
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const HANDHELD = new Set(['iPhone', 'iPad', 'Android'])

/** Returns a name such as 'Firefox on Linux'. */
export function describeDevice(userAgent: string | null): { name: string; isHandheld: boolean } {
  const browser = findName(BROWSERS, userAgent)
  const system = findName(SYSTEMS, userAgent)
  const name = browser && system ? `${browser} on ${system}` : (browser ?? system)
  return {
    name: name ?? 'Unknown device',
    isHandheld: system !== undefined && HANDHELD.has(system),
  }
}

/** Longest name that fits in one line on a phone. */
const PROGRAM_NAME_MAX = 24

/** Returns a name such as 'curl/8.5.0', or the name of the device if the program is a browser. */
export function describeProgram(userAgent: string | null): string {
  const [name = ''] = userAgent?.split(' ') ?? []
  if (name === '' || name.startsWith('Mozilla/')) return describeDevice(userAgent).name
  return name.slice(0, PROGRAM_NAME_MAX)
}

function findName(names: [RegExp, string][], userAgent: string | null): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
}
