import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { UnplayableSourceError } from '#server/video/processing/media-errors.ts'
import { decodePicture } from '#server/video/processing/picture/thumbnail.ts'
import { runMediaTask } from '#server/video/processing/tasks/run-media-task.ts'
import { type ClipOptions, makeClip, readStill } from '#test/support/clips.ts'
import { isLongForm, longTest } from '#test/support/long-form.ts'
import { makePng } from '#test/support/png.ts'
import { setUpFolder } from '#test/support/set-up-folder.ts'

const folder = setUpFolder('thumbnail')
let source: string
let output: string

beforeAll(async () => {
  source = join(folder, 'source')
  output = join(folder, 'thumbnail.jpg')
})

async function makeThumbnail(bytes: Buffer) {
  await rm(output, { force: true })
  await writeFile(source, bytes)
  return runMediaTask(
    { kind: 'thumbnail', sourcePath: source, outputPath: output },
    { timeoutMs: 20_000 },
  )
}

async function refusal(bytes: Buffer): Promise<string> {
  const error = await makeThumbnail(bytes).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UnplayableSourceError)
  expect(await readdir(folder)).not.toContain('thumbnail.jpg')
  return (error as Error).message
}

/** A JPEG of the test picture, whose left bar is red and whose right one is cyan. */
async function makeJpeg(
  size: Pick<ClipOptions, 'width' | 'height' | 'noise'> = {},
): Promise<Buffer> {
  const path = await makeClip({
    path: join(folder, 'picture.avi'),
    container: 'avi',
    videoCodec: 'mjpeg',
    audioCodec: null,
    seconds: 0.1,
    ...size,
  })
  const bytes = await readFile(path)
  const start = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff]))
  return bytes.subarray(start, bytes.indexOf(Buffer.from([0xff, 0xd9]), start) + 2)
}

/** Puts an EXIF segment with an orientation and a camera's name behind the start marker. */
function addExif(jpeg: Buffer, orientation: number): Buffer {
  const maker = 'Secret Camera\0'
  const tiff = Buffer.alloc(8 + 2 + 2 * 12 + 4 + maker.length)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(2, 8)
  tiff.set([0x01, 0x0f, 0, 2, 0, 0, 0, maker.length, 0, 0, 0, 38], 10)
  tiff.set([0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0], 22)
  tiff.write(maker, 38, 'latin1')
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, body.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)])
}

/** A PNG of one bit per pixel: a few kilobytes that unpack to `width` x `height`. */
function makeBitmap(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const rows = Buffer.alloc((1 + Math.ceil(width / 8)) * height)
  return makePngOf(header, rows)
}

function makePngOf(header: Buffer, rows: Buffer): Buffer {
  const part = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    part('IHDR', header),
    part('IDAT', deflateSync(rows)),
    part('IEND', Buffer.alloc(0)),
  ])
}

test('a PNG becomes a JPEG of its size', async () => {
  expect(await makeThumbnail(makePng(640, 360, [250, 10, 10]))).toEqual({ width: 640, height: 360 })
  const [red, green, blue] = (await readStill(output)).at(0.5, 0.5)
  expect(red).toBeGreaterThan(235)
  expect(Math.max(green, blue)).toBeLessThan(30)
  expect((await readFile(output)).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
})

test('a large picture is made to fit inside 1280x720', async () => {
  expect(await makeThumbnail(makePng(1000, 3000))).toEqual({ width: 240, height: 720 })
  expect(await readStill(output)).toMatchObject({ width: 240, height: 720 })
})

/** 64 x 64 pixels: the left half transparent, the right one white. */
function makeHalfTransparent(): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(64, 0)
  header.writeUInt32BE(64, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.alloc(32 * 4, Buffer.from([255, 255, 255, 0])),
    Buffer.alloc(32 * 4, Buffer.from([255, 255, 255, 255])),
  ])
  return makePngOf(header, Buffer.concat(Array.from({ length: 64 }, () => row)))
}

test('transparent places turn black', async () => {
  await makeThumbnail(makeHalfTransparent())
  const still = await readStill(output)
  expect(Math.max(...still.at(0.2, 0.5))).toBeLessThan(20)
  expect(Math.min(...still.at(0.8, 0.5))).toBeGreaterThan(235)
})

test('as a PNG they stay transparent, and nothing but the picture is stored', async () => {
  const path = join(folder, 'logo.png')
  const make = async (bytes: Buffer) => {
    await writeFile(source, bytes)
    await runMediaTask(
      { kind: 'thumbnail', sourcePath: source, outputPath: path, box: { width: 32, height: 32 } },
      { timeoutMs: 20_000 },
    )
    return readFile(path)
  }
  const logo = await make(makeHalfTransparent())
  expect(logo.subarray(1, 4).toString()).toBe('PNG')
  // Width and height, and colour with transparency (PNG specification, section 11.2.1).
  expect([logo.readUInt32BE(16), logo.readUInt32BE(20), logo[25]]).toEqual([32, 32, 6])
  const frame = await decodePicture(path)
  const pixels = frame.toBuffer()
  frame.free()
  const alphaAt = (x: number, y: number) => pixels[(y * 32 + x) * 4 + 3]
  expect([alphaAt(6, 16), alphaAt(25, 16)]).toEqual([0, 255])
  const photo = await make(addExif(await makeJpeg(), 6))
  expect(photo.toString('latin1')).not.toMatch(/Exif|eXIf|iCCP|tEXt|Secret|Lavc/)
  expect([photo.readUInt32BE(16), photo.readUInt32BE(20)]).toEqual([18, 32])
})

const PHOTOS = [
  { orientation: 1, size: { width: 320, height: 180 }, redAt: [0.05, 0.5] },
  { orientation: 3, size: { width: 320, height: 180 }, redAt: [0.95, 0.5] },
  { orientation: 6, size: { width: 180, height: 320 }, redAt: [0.5, 0.05] },
  { orientation: 8, size: { width: 180, height: 320 }, redAt: [0.5, 0.95] },
] as const

test.each(isLongForm ? PHOTOS : PHOTOS.slice(2, 3))(
  'a JPEG with EXIF orientation $orientation comes out upright and bare',
  async (photo) => {
    const bytes = addExif(await makeJpeg(), photo.orientation)
    expect(await makeThumbnail(bytes)).toEqual(photo.size)
    const [red, green] = (await readStill(output)).at(photo.redAt[0], photo.redAt[1])
    expect(red).toBeGreaterThan(200)
    expect(green).toBeLessThan(60)
    expect((await readFile(output)).toString('latin1')).not.toMatch(/Exif|Secret|Lavc/)
  },
)

test('40 megapixels are accepted, more are not', async () => {
  expect(await makeThumbnail(makeBitmap(8000, 5000))).toEqual({ width: 1152, height: 720 })
  expect(await refusal(makeBitmap(8000, 5008))).toBe(
    'This picture is damaged, or larger than 40 megapixels.',
  )
})

longTest(
  'a picture of few pixels with a side that is too long is refused, and the smallest is accepted',
  async () => {
    for (const [width, height] of [
      [2, 65_534],
      [65_534, 2],
    ] as const) {
      expect(await refusal(makeBitmap(width, height))).toBe('This picture is too large.')
    }
    expect(await makeThumbnail(makeBitmap(1, 1))).toEqual({ width: 2, height: 2 })
    for (const [width, height] of [
      [0, 5],
      [5, 0],
    ] as const) {
      expect(await refusal(makeBitmap(width, height))).toMatch(/damaged/)
    }
  },
)

test('a PNG with 16 bits a colour becomes a JPEG of its size', async () => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(64, 0)
  header.writeUInt32BE(36, 4)
  header.set([16, 6, 0, 0, 0], 8)
  const deep = makePngOf(header, Buffer.alloc((1 + 64 * 8) * 36))
  expect(await makeThumbnail(deep)).toEqual({ width: 64, height: 36 })
})

test('other files and damaged pictures are refused', async () => {
  expect(await refusal(Buffer.alloc(0))).toBe('The file is empty.')
  expect(await refusal(Buffer.from('GIF89a and more'))).toBe(
    'This file is not a PNG or JPEG picture.',
  )
  const clip = await readFile(await makeClip({ path: join(folder, 'clip.mp4'), seconds: 0.2 }))
  expect(await refusal(clip)).toBe('This file is not a PNG or JPEG picture.')
  expect(await refusal(makePng(64, 64).subarray(0, 40))).toMatch(/damaged/)
  expect(await refusal((await makeJpeg()).subarray(0, 60))).toMatch(/damaged/)
})

const makeCards = () =>
  runMediaTask(
    { kind: 'cards', sourcePath: source, outputFolder: folder, name: 'poster' },
    { timeoutMs: 20_000 },
  )

test('cards fit frames of three widths, weigh little, and come with a preview', async () => {
  await writeFile(source, await makeJpeg({ width: 1280, height: 720, noise: 6 }))
  const { files, cardFile, preview } = await makeCards()
  expect(cardFile).toBe('poster-card.webp')
  const sizes = {
    'poster-card-320.webp': 320,
    'poster-card.webp': 640,
    'poster-card-960.webp': 960,
  }
  expect(files.map(({ name }) => name)).toEqual(Object.keys(sizes))
  for (const [name, width] of Object.entries(sizes)) {
    const still = await readStill(join(folder, name))
    expect(still).toMatchObject({ width, height: (width * 9) / 16 })
    const [red, green] = still.at(0.02, 0.5)
    expect(red - green).toBeGreaterThan(100)
  }
  expect(Math.max(...files.map(({ bytes }) => bytes))).toBeLessThan(25_000)

  const tiny = Buffer.from(preview ?? '', 'base64')
  expect(tiny.length).toBeLessThan(300)
  await writeFile(join(folder, 'preview.webp'), tiny)
  const still = await readStill(join(folder, 'preview.webp'))
  expect(still).toMatchObject({ width: 24, height: 14 })
  const [red, green] = still.at(0.02, 0.5)
  expect(red - green).toBeGreaterThan(60)
})

test('the card of an upright picture is as high as the frame', async () => {
  await writeFile(source, makePng(720, 1280))
  await makeCards()
  expect(await readStill(join(folder, 'poster-card.webp'))).toMatchObject({
    width: 202,
    height: 360,
  })
})

test('a small picture is not enlarged', async () => {
  await writeFile(source, makePng(400, 200))
  await makeCards()
  expect(await readStill(join(folder, 'poster-card-960.webp'))).toMatchObject({ width: 400 })
})
