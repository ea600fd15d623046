import { expect, test } from 'vitest'
import { readRecordingName } from '#shared/recording-name.ts'

const AT = '1 May 2025, 22:48'

test.each([
  // ShadowPlay
  ['Rust 2025.05.01 - 22.48.17.03.mp4', 'Rust', 'Rust', `Rust, ${AT}`],
  [
    'Counter-strike 2 2025.05.01 - 22.48.17.03.DVR.mp4',
    'Counter-strike 2',
    'CS2',
    `Counter-strike 2, ${AT}`,
  ],
  ['Desktop 2025.05.01 - 22.48.17.03.mp4', undefined, undefined, `Recording, ${AT}`],
  // OBS
  ['2025-05-01 22-48-17.mkv', undefined, undefined, `Recording, ${AT}`],
  ['Replay 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['2025-05-01_22-48-17.mkv', undefined, undefined, `Recording, ${AT}`],
  // Steam
  ['252490_20250501224817_1.mp4', 'Rust', 'Rust', `Rust, ${AT}`],
  ['clip_730_20250501_224817.mp4', 'CS2', 'CS2', `CS2, ${AT}`],
  ['20250501224817_1.mp4', undefined, undefined, `Recording, ${AT}`],
  // Xbox Game Bar
  [
    "Tom Clancy's Rainbow Six Siege 2025-05-01 22-48-17.mp4",
    "Tom Clancy's Rainbow Six Siege",
    'Rainbow Six',
    `Tom Clancy's Rainbow Six Siege, ${AT}`,
  ],
  ['Minecraft 5_1_2025 10_48_17 PM.mp4', 'Minecraft', 'Minecraft', `Minecraft, ${AT}`],
  // Medal
  ['MedalTVRust20250501224817.mp4', 'Rust', 'Rust', `Rust, ${AT}`],
  ['MedalTVCS220250501224817.mp4', 'CS2', 'CS2', `CS2, ${AT}`],
  [
    'MedalTVEscapefromTarkov20250501224817569.mp4',
    'EscapefromTarkov',
    'Tarkov',
    `EscapefromTarkov, ${AT}`,
  ],
  // ReLive, Outplayed, consoles and phones
  ['FiveM_replay_2025.05.01-22.48.mp4', 'FiveM', 'FiveM', `FiveM, ${AT}`],
  [
    'Counter-Strike 2_05-01-2025_22-48-17-123.mp4',
    'Counter-Strike 2',
    'CS2',
    `Counter-Strike 2, ${AT}`,
  ],
  ['Elden Ring_20250501224817.mp4', 'Elden Ring', undefined, `Elden Ring, ${AT}`],
  ['VID_20250501_224817.mp4', undefined, undefined, `Recording, ${AT}`],
  // No date, but a game
  ['gta v.mp4', 'gta v', 'GTA', 'gta v'],
])('%s', (name, game, category, title) => {
  expect(readRecordingName(name)).toEqual({ game, category, title })
})

test.each([
  'last-stand.mp4',
  'My best of 2025.mp4',
  '2025-13-45 22-48-17.mkv',
  '12345678901234567890.mp4',
  '.mp4',
  '',
])('%s yields nothing', (name) => {
  expect(readRecordingName(name)).toBeUndefined()
})

test('a category that an admin added is known by its name', () => {
  const found = readRecordingName('Elden Ring 2025-05-01 22-48-17.mp4', ['Other', 'Elden Ring'])
  expect(found?.category).toBe('Elden Ring')
})
