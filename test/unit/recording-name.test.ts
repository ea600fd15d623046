import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepFolder } from '#client/create/upload/recording/file-folder.ts'
import { recogniseName } from '#client/create/upload/recording/recognise-file.ts'
import { readContainer } from '#shared/container-facts/read-container.ts'
import { readRecordingName } from '#shared/recording-name.ts'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('recording')

async function recognise(name: string, options: Omit<ClipOptions, 'path'>) {
  const clip = { seconds: 0.2, width: 64, height: 64, audioCodec: null, ...options }
  const path = await makeClip({ path: join(folder, name), ...clip })
  const file = new File([await openAsBlob(path)], name)
  return recogniseName(file, [], await readContainer(file))?.title
}

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
  ['Game Title 2025.05.01 - 22.48.17.02.DVR.mp4', 'Game Title', undefined, `Game Title, ${AT}`],
  ['Halo Infinite-2025_05_01-22_48_17.mp4', 'Halo Infinite', undefined, `Halo Infinite, ${AT}`],
  ['Hades 01_05_2025 22_48_17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['Hades 01.05.2025 22_48_17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['Hades 13_05_2025 22_48_17.mp4', 'Hades', undefined, 'Hades, 13 May 2025, 22:48'],
  ['Hades 5_1_2025 10_48_17 PM.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['Replay_2025.05.01-22.48.mp4', undefined, undefined, `Recording, ${AT}`],
  ['Screen_Recording_20250501_224817_Hades.mp4', 'Hades', undefined, `Hades, ${AT}`],
  [
    'Screen_Recording_20250501_224817_com.supercell.clash.mp4',
    undefined,
    undefined,
    `Recording, ${AT}`,
  ],
  ['ScreenRecording_05-01-2025 22-48-17_1.MP4', undefined, undefined, `Recording, ${AT}`],
  ['Screen Recording 2025-05-01 at 10.48.17 PM.mov', undefined, undefined, `Recording, ${AT}`],
  [
    '2025050122481700-02CB906EA538A35643C1E1484C4B947D.mp4',
    undefined,
    undefined,
    `Recording, ${AT}`,
  ],
  ['Hades__2025-05-01__22-48-17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['2025-05-01 22-48-17 (1).mkv', undefined, undefined, `Recording, ${AT}`],
  ['2025-05-01 22-48-17 - Copy.mkv', undefined, undefined, `Recording, ${AT}`],
  // Words for a recording beside the game
  ['Captures Rust 2025-05-01 22-48-17.mp4', 'Rust', 'Rust', `Rust, ${AT}`],
  ['Rust - Clips - 2025-05-01 22-48-17.mp4', 'Rust', 'Rust', `Rust, ${AT}`],
  ['Recording Elden Ring 2025-05-01 22-48-17.mp4', 'Elden Ring', undefined, `Elden Ring, ${AT}`],
  ['Screen Recordings 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['Clip of Ann 2025-05-01 22-48-17.mp4', 'Clip of Ann', undefined, `Clip of Ann, ${AT}`],
  ['Captures Rust.mp4', 'Rust', 'Rust', 'Rust'],
  // Machines and paths
  ['DESKTOP-4FJ2K1 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['Anns-MacBook-Pro 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['C__Users_ann_Videos 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['DESKTOP-AB12CD3_Rust_2025-05-01_22-48-17.mkv', 'Rust', 'Rust', `Rust, ${AT}`],
  ['Anns-MacBook-Pro_Rust_2025-05-01_22-48-17.mov', 'Rust', 'Rust', `Rust, ${AT}`],
  ['ANNS-PC - Hades 2025-05-01 22-48-17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['C--Users-ann-Videos-Rust 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['D__Recordings_ann_Rust 2025-05-01 22-48-17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['home-ann-Videos-2025-05-01_22-48-17.mkv', undefined, undefined, `Recording, ${AT}`],
  ['LAPTOP-8HJK2LM9 Rust.mp4', 'Rust', 'Rust', 'Rust'],
  // Xbox Game Bar in other languages
  ['Hades 2025_5_1 22_48_17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['Hades 2025-05-01 오후 10_48_17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['Hades 2025_5_1 下午 10_48_17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  ['Hades 2025. 05. 01. 22_48_17.mp4', 'Hades', undefined, `Hades, ${AT}`],
  // Words of phones, consoles and programs
  ['PXL_20250501_224817123.TS.mp4', undefined, undefined, `Recording, ${AT}`],
  ['Screencast from 2025-05-01 22-48-17.webm', undefined, undefined, `Recording, ${AT}`],
  ['screen-20250501-224817.mp4', undefined, undefined, `Recording, ${AT}`],
  ['SHARE_20250501224817.mp4', undefined, undefined, `Recording, ${AT}`],
  ['DJI_20250501224817_0001_D.MP4', undefined, undefined, `Recording, ${AT}`],
  ['WhatsApp Video 2025-05-01 at 22.48.17.mp4', undefined, undefined, `Recording, ${AT}`],
  ['NVIDIA Overlay 2025.05.01 - 22.48.17.03.DVR.mp4', undefined, undefined, `Recording, ${AT}`],
  ['Replay 2025-05-01 22-48-17 (Rust).mkv', 'Rust', 'Rust', `Rust, ${AT}`],
  // No date, but a game
  ['gta v.mp4', 'gta v', 'GTA', 'gta v'],
])('%s', (name, game, category, title) => {
  expect(readRecordingName(name)).toMatchObject({ game, category, title })
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
  const categories = ['Other', 'Elden Ring']
  const found = readRecordingName('Elden Ring 2025-05-01 22-48-17.mp4', { categories })
  expect(found?.category).toBe('Elden Ring')
})

test('an iPhone writes the second since 1970, which is shown by the clock of the device', () => {
  const ended = new Date(2025, 4, 1, 22, 48, 17).getTime() / 1000
  expect(readRecordingName(`RPReplay_Final${ended}.mp4`)?.title).toBe(`Recording, ${AT}`)
})

test('a time in UTC is shown by the clock of the device', () => {
  const stamp = new Date(2025, 4, 1, 22, 48, 17).toISOString().slice(0, 19)
  expect(readRecordingName(`${stamp.replaceAll(':', '-')}Z.mkv`)?.title).toBe(`Recording, ${AT}`)
})

test('when a file was changed tells whether the day or the month comes first', () => {
  const modifiedAt = new Date(2025, 0, 5, 23, 0).getTime()
  const name = 'Hades 01_05_2025 22_48_17.mp4'
  expect(readRecordingName(name, { modifiedAt })?.title).toBe('Hades, 5 January 2025, 22:48')
})

const RECORDED = { year: 2025, month: 5, day: 1, hour: 22, minute: 48 }
const NAMELESS = '2025-05-01 22-48-17.mkv'

test.each([
  // A folder of a game, as ShadowPlay and people make them
  [NAMELESS, { folder: 'Videos/Hades' }, `Hades, ${AT}`],
  [NAMELESS, { folder: 'Elden Ring' }, `Elden Ring, ${AT}`],
  [NAMELESS, { folder: 'Rust' }, `Rust, ${AT}`],
  [NAMELESS, { folder: 'Videos/Captures Rust' }, `Rust, ${AT}`],
  ['video.mp4', { folder: 'Steam/clip_730_20250501_224817' }, `CS2, ${AT}`],
  // Folders that say nothing, or may say who somebody is
  [NAMELESS, { folder: 'Videos/Captures' }, `Recording, ${AT}`],
  [NAMELESS, { folder: 'ann' }, `Recording, ${AT}`],
  [NAMELESS, { folder: 'Users/ann' }, `Recording, ${AT}`],
  [NAMELESS, { folder: 'Backups/ANN-PC' }, `Recording, ${AT}`],
  // The file itself
  [NAMELESS, { container: { title: 'Hades' } }, `Hades, ${AT}`],
  [NAMELESS, { container: { game: 'Hades', title: 'Boss fight' } }, `Hades, ${AT}`],
  [NAMELESS, { container: { title: 'C:\\Users\\ann\\Videos\\x.mkv' } }, `Recording, ${AT}`],
  [NAMELESS, { container: { title: '/home/ann/x' } }, `Recording, ${AT}`],
  [NAMELESS, { container: { title: 'DESKTOP-4FJ2K1' } }, `Recording, ${AT}`],
  [NAMELESS, { container: { title: 'DESKTOP-4FJ2K1A Hades' } }, `Hades, ${AT}`],
  ['IMG_1234.MOV', { container: { recordedAt: RECORDED } }, `Recording, ${AT}`],
  ['rust.mp4', { container: { recordedAt: RECORDED } }, `rust, ${AT}`],
  ['last-stand.mp4', { container: { title: 'Rust', recordedAt: RECORDED } }, `Rust, ${AT}`],
])('%s with %o', (name, hints, title) => {
  expect(readRecordingName(name, hints)?.title).toBe(title)
})

test('a name of somebody’s own stays, whatever else is known', () => {
  const container = { title: 'Something', recordedAt: RECORDED }
  expect(readRecordingName('last-stand.mp4', { container, folder: 'Videos/Hades' })).toBeUndefined()
})

// As the device's clock has it, wherever the tests run.
const creation_time = new Date(2025, 4, 1, 22, 48).toISOString()

test.each([
  ['titled.mp4', { metadata: { title: 'Rust', creation_time } }, `Rust, ${AT}`],
  ['titled.mov', { container: 'mov', metadata: { title: 'Rust', creation_time } }, `Rust, ${AT}`],
  [
    'titled.mkv',
    { container: 'matroska', metadata: { title: 'Rust', creation_time } },
    `Rust, ${AT}`,
  ],
  ['IMG_0001.mkv', { container: 'matroska', metadata: { creation_time } }, `Recording, ${AT}`],
  [
    'keyed.mp4',
    { muxerOptions: { movflags: 'use_metadata_tags' }, metadata: { game: 'Rust', creation_time } },
    `Rust, ${AT}`,
  ],
  [
    'IMG_0002.MOV',
    {
      container: 'mov',
      muxerOptions: { movflags: 'use_metadata_tags' },
      metadata: { 'com.apple.quicktime.creationdate': '2025-05-01T22:48:17+1100' },
    },
    `Recording, ${AT}`,
  ],
  [
    'IMG_0003.MOV',
    {
      container: 'mov',
      muxerOptions: { movflags: 'use_metadata_tags' },
      metadata: { 'com.apple.quicktime.creationdate': creation_time },
    },
    `Recording, ${AT}`,
  ],
  ['IMG_0004.mp4', {}, undefined],
] as const)('what %s says of itself is read', async (name, options, title) => {
  expect(await recognise(name, options)).toBe(title)
})

test('what is damaged or no video says nothing', async () => {
  const broken = [[], [0, 0, 0, 8, 0x6d, 0x6f, 0x6f, 0x76], [0x1a, 0x45, 0xdf, 0xa3, 0x01], [1, 2]]
  for (const bytes of broken) {
    const facts = await readContainer(new File([new Uint8Array(bytes)], 'a.mp4'))
    expect(recogniseName({ name: 'IMG_0001.mp4' }, [], facts)).toBeUndefined()
  }
})

test('a file of a dropped folder is known by it', () => {
  const file = new File([], '2025-05-01 22-48-17.mkv')
  keepFolder(file, '/Videos/Hades/2025-05-01 22-48-17.mkv')
  expect(recogniseName(file, [])?.title).toBe(`Hades, ${AT}`)
})
