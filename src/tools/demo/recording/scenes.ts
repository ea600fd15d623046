import type { Random } from '#tools/seed/random.ts'
import { firstPerson } from './first-person.ts'
import { hex } from './hue.ts'
import type { Land } from './panorama.ts'

export type Scene = Land | keyof typeof ABSTRACT

type Size = { frameRate: number; seconds: number; hue: number }

const WIDE = 'scale=1280:720'

/** @param hue degrees */
export function drawScene(
  input: { scene: Scene; hue: number; frameRate: number; seconds: number },
  random: Random,
): string {
  const { scene, ...size } = input
  if (scene in ABSTRACT) return ABSTRACT[scene as keyof typeof ABSTRACT](size, random)
  return firstPerson({ land: scene as Land, ...size }, random)
}

const ABSTRACT = { road, terrain, islands, fractal, colony, arcade, nebula, bars }

/** A night drive: a grid that approaches, a sun, and a car. */
function road({ hue, frameRate, seconds }: Size, random: Random): string {
  const [line, glow] = [hex(hue, 0.95, 0.6), hex(hue + 60, 0.95, 0.62)]
  const speed = (random.integer(10, 20) / 1000).toFixed(3)
  const lasts = `r=${frameRate}:d=${seconds}`
  const ground = [
    `color=${hex(hue + 290, 0.7, 0.06)}:s=640x360:${lasts}`,
    `drawgrid=x=20:w=40:h=36:t=2:c=${line},scroll=v=-${speed}`,
    'perspective=x0=235:y0=0:x1=405:y1=0:x2=-1100:y2=360:x3=1740:y3=360:sense=destination',
    'crop=640:170:0:0',
  ].join(',')
  const ray = 'hypot(X-320,Y-165)'
  const sun = `if(lt(${ray},85)*gt(mod(Y,13),2+(Y-90)/14),250-(Y-80)/1.5,90*exp(-(190-Y)/105)+60*exp(-${ray}/100))`
  const sky = [
    `color=black:s=640x190:r=1:d=1,format=gray,geq=lum='${sun}',format=yuv444p`,
    `pseudocolor=preset=${random.pick(['magma', 'plasma', 'inferno'])},hue=h=${random.integer(-25, 25)}`,
    `loop=loop=-1:size=1,setpts=N/(${frameRate}*TB),fps=${frameRate},trim=duration=${seconds}`,
  ].join(',')
  const car = [
    ['x=540:y=560:w=200:h=70', 'black'],
    ['x=566:y=520:w=148:h=50', hex(hue + 290, 0.5, 0.1)],
    ['x=580:y=530:w=120:h=28', hex(hue + 200, 0.5, 0.3)],
    ['x=548:y=576:w=52:h=14', '0xff2040'],
    ['x=680:y=576:w=52:h=14', '0xff2040'],
    ['x=552:y=622:w=34:h=22', 'black'],
    ['x=694:y=622:w=34:h=22', 'black'],
    ['x=32:y=660:w=220:h=10', 'black@0.6'],
    [`x=32:y=660:w=${random.integer(70, 200)}:h=10`, glow],
  ].map(([place, colour]) => `drawbox=${place}:color=${colour}:t=fill`)
  return [
    `${sky},format=yuv444p[sky];${ground},format=yuv444p[ground];[sky][ground]vstack,${WIDE}:flags=bicubic`,
    `drawbox=x=0:y=378:w=1280:h=4:color=${line}:t=fill`,
    ...car,
  ].join(',')
}

/** A drifting strategy map. */
function terrain(size: Size, random: Random): string {
  return map(size, { width: 640, flags: 'bicubic' }, random)
}

function islands(size: Size, random: Random): string {
  return map(size, { width: 80, flags: 'neighbor' }, random)
}

function map(
  { hue, frameRate, seconds }: Size,
  { width, flags }: { width: number; flags: string },
  random: Random,
): string {
  const scale = (width / 640).toFixed(3)
  const grain = [random.fraction() * 6, random.fraction() * 6].map((value) => value.toFixed(2))
  const wave = (x: number, y: number) =>
    `sin((X*${x}+Y*${y})/${scale}/70+${grain[0]}+0.8*sin((X*${y}-Y*${x})/${scale}/90+${grain[1]}))`
  const height = `128+46*${wave(1, 0.4)}+38*${wave(-0.5, 1.1)}+26*${wave(1.7, -1.3)}+14*${wave(3.1, 2.3)}`
  const steps = (channel: 0 | 1 | 2) => {
    const table = [
      [20, 60, 120],
      [40, 120, 170],
      [214, 196, 140],
      [92, 150, 66],
      [58, 112, 58],
      [120, 110, 104],
      [236, 240, 244],
    ].map((colour) => colour[channel])
    return `if(lt(val,85),${table[0]},if(lt(val,110),${table[1]},if(lt(val,120),${table[2]},if(lt(val,150),${table[3]},if(lt(val,182),${table[4]},if(lt(val,205),${table[5]},${table[6]}))))))`
  }
  const markers = Array.from({ length: 9 }, () => {
    const side = random.integer(10, 18)
    return `drawbox=x=${random.integer(200, 1200)}:y=${random.integer(60, 660)}:w=${side}:h=${side}:color=${random.chance(0.5) ? '0xff4455' : '0x40c8ff'}:t=fill`
  })
  return [
    `color=black:s=${width * 2}x${width}:r=1:d=1,format=gray,geq=lum='${height}'`,
    `format=gbrp,lutrgb=r='${steps(0)}':g='${steps(1)}':b='${steps(2)}',hue=h=${((hue + 90) % 50) - 25}`,
    `loop=loop=-1:size=1,setpts=N/(${frameRate}*TB),fps=${frameRate},trim=duration=${seconds}`,
    `scroll=h=${(random.integer(4, 12) / 10_000).toFixed(4)}:v=${(random.integer(4, 12) / 10_000).toFixed(4)}`,
    `crop=${width}:${Math.round((width * 9) / 16 / 2) * 2}:0:0,scale=1280:720:flags=${flags}`,
    `drawgrid=w=128:h=120:t=1:c=white@0.12,${markers.join(',')}`,
    'drawbox=x=0:y=640:w=1280:h=80:color=black@0.55:t=fill',
    ...Array.from(
      { length: 8 },
      (_, index) =>
        `drawbox=x=${400 + index * 62}:y=654:w=52:h=52:color=${hex(hue + index * 24, 0.45, 0.45)}:t=fill`,
    ),
  ].join(',')
}

function fractal({ hue, frameRate, seconds }: Size, random: Random): string {
  const depth = (random.integer(2, 20) / 10_000).toFixed(5)
  return `mandelbrot=s=480x270:rate=${frameRate}:maxiter=700:end_pts=${seconds * 90}:start_scale=0.06:end_scale=${depth}:bailout=10:inner=black,trim=duration=${seconds},hue=h=${hue}:s=1.4,${WIDE}:flags=bicubic`
}

function colony({ hue, frameRate, seconds }: Size, random: Random): string {
  const [life, mold] = [hex(hue, 0.9, 0.7), hex(hue + 70, 0.8, 0.3)]
  const cells = `life=s=160x90:r=${frameRate}:mold=${random.integer(4, 12)}:ratio=0.${random.integer(12, 35)}:seed=${random.integer(1, 9999)}:life_color=${life}:death_color=${mold}:mold_color=${hex(hue + 250, 0.6, 0.06)}`
  return `${cells},trim=duration=${seconds},format=gbrp,${WIDE}:flags=neighbor,split[sharp][soft];[soft]scale=320:180,gblur=sigma=6,${WIDE}[glow];[sharp][glow]blend=all_mode=screen:all_opacity=0.8`
}

function arcade({ hue, frameRate, seconds }: Size, random: Random): string {
  const rule = random.pick([18, 22, 30, 54, 90, 110, 150])
  const ship = [
    ['x=616:y=640:w=48:h=16', hex(hue + 180, 0.9, 0.6)],
    ['x=630:y=616:w=20:h=26', hex(hue + 180, 0.9, 0.75)],
  ].map(([place, colour]) => `drawbox=${place}:color=${colour}:t=fill`)
  return [
    `cellauto=s=160x180:r=${frameRate}:rule=${rule}:ratio=0.3:seed=${random.integer(1, 9999)}:full=1,trim=duration=${seconds},format=gray,split[left][right];[right]hflip[other];[left][other]hstack,lagfun=decay=0.9`,
    `${WIDE}:flags=neighbor,format=gbrp,lutrgb=${['r', 'g', 'b']
      .map(
        (name, index) => `${name}='val*${[0.9, 0.35, 0.75][(index + Math.floor(hue / 120)) % 3]}'`,
      )
      .join(':')},vignette=angle=PI/4`,
    ...ship,
    `drawbox=x=638:y=0:w=4:h=610:color=white@0.8:t=fill:enable='lt(mod(t,0.6),0.08)'`,
  ].join(',')
}

function nebula({ hue, frameRate, seconds }: Size, random: Random): string {
  const stars = Array.from({ length: 26 }, () => {
    const side = random.integer(2, 4)
    return `drawbox=x=${random.integer(0, 1278)}:y=${random.integer(0, 716)}:w=${side}:h=${side}:color=white@0.8:t=fill`
  })
  const ship = [
    ['x=604:y=560:w=72:h=20', '0x20263a'],
    ['x=622:y=536:w=36:h=44', '0x2c3450'],
    ['x=612:y=580:w=14:h=12', hex(hue + 180, 0.95, 0.6)],
    ['x=654:y=580:w=14:h=12', hex(hue + 180, 0.95, 0.6)],
  ].map(([place, colour]) => `drawbox=${place}:color=${colour}:t=fill`)
  return [
    `perlin=s=320x180:r=${frameRate}:octaves=5:persistence=0.6:xscale=2:yscale=2:tscale=0.4:seed=${random.integer(1, 999)}`,
    `trim=duration=${seconds},format=yuv444p,lutyuv=y='clip((val-70)*1.7,0,255)'`,
    `pseudocolor=preset=${random.pick(['magma', 'plasma'])},hue=h=${random.integer(-40, 60)}:s=0.9,${WIDE}:flags=bicubic`,
    ...stars,
    ...ship,
    'vignette=angle=PI/5',
  ].join(',')
}

/** A test picture. */
function bars({ frameRate, seconds }: Size, random: Random): string {
  const source = random.pick(['smptehdbars', 'testsrc2', 'rgbtestsrc'])
  return `${source}=s=1280x720:r=${frameRate}:d=${seconds},drawbox=x=0:y=600:w=1280:h=24:color=white@0.4:t=fill`
}
