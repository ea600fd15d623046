import type { Random } from '#tools/seed/random.ts'
import { rgb } from './hue.ts'

export type Land = 'mountains' | 'forest' | 'city' | 'blocks'

type Colour = [hue: number, saturation: number, lightness: number]
export type Daylight = {
  sky: [high: Colour, low: Colour]
  far: Colour
  near: Colour
  ground: Colour
}

/** Grey levels of the layers, which a palette then colours. */
const LEVELS = { sky: 0, far: 110, near: 140, ground: 180, light: 250 }
const WIDTH = 2048

/**
 * A still panorama and a view into it that turns and sways: first person, 16:9, 1280 pixels wide.
 */
export function panorama(
  input: { land: Land; light: Daylight; frameRate: number; seconds: number },
  random: Random,
): string {
  const { land, light, frameRate, seconds } = input
  const isBlocky = land === 'blocks'
  const width = isBlocky ? 256 : WIDTH
  // Nobody sees what is far above and below.
  const size = `${width}x${width / 4}`
  const turn = (random.integer(12, 30) / 30_000) * (random.chance(0.5) ? 1 : -1)
  const sway = [random.integer(6, 14) / 10, random.integer(11, 23) / 10]
  return [
    `color=black:size=${size}:rate=1:duration=1,format=gray,geq=lum='${levelsOf(land, random)}'`,
    `format=gbrp,${paint(light)},pad=${width}:${width / 2}:0:${width / 8},scale=${WIDTH}:${WIDTH / 2}:flags=${isBlocky ? 'neighbor' : 'bicubic'}`,
    `loop=loop=-1:size=1,setpts=N/(${frameRate}*TB),fps=${frameRate},trim=duration=${seconds}`,
    `scroll=h=${turn.toFixed(5)}:hpos=${random.fraction().toFixed(2)}`,
    `v360=e:flat:h_fov=96:v_fov=62:w=1376:h=776:pitch=${random.integer(2, 7)}:interp=linear`,
    `crop=1280:720:x='48+44*sin(t*${sway[0]})':y='28+24*sin(t*${sway[1]})'`,
  ].join(',')
}

/** An expression in X and Y for the level in each direction. */
function levelsOf(land: Land, random: Random): string {
  const phases = Array.from({ length: 4 }, () => (random.fraction() * 6.28).toFixed(2))
  const grain = random.integer(1, 900)
  const up = '(0.25-Y/H/2)'
  const turn = (times: number) => `(6.2832*${times}*X/W)`
  const hash = (of: string) => `mod(abs(sin((${of})*12.9898+${grain})*43758.5453),1)`
  const ridge = (height: number, offset: number) =>
    `(${height}*(1+0.5*sin(${turn(2 + offset)}+${phases[0]})+0.35*sin(${turn(5 + offset)}+${phases[1]})+0.15*sin(${turn(13 + offset)}+${phases[2]})))`
  const column = (width: number) => `floor(X*1024/W/${width})`
  const far = ridge(0.055, 0)
  const near = {
    mountains: ridge(0.03, 3),
    forest: `(0.012+(0.03+0.075*${hash(column(14))})*(1-abs(mod(X*1024/W/14,1)*2-1)))`,
    city: `(0.02+0.17*pow(${hash(column(29))},2)+0.02)`,
    blocks: `(floor(${ridge(0.05, 1)}*64)/64)`,
  }[land]
  // Distance and position on the ground.
  const distance = '(1/tan(max(0.01,(Y/H/2-0.25)*3.1416)))'
  const east = `(${distance}*sin(${turn(1)}))`
  const north = `(${distance}*cos(${turn(1)}))`
  const ground = {
    mountains: `24+12*sin(${east}*2.1)*sin(${north}*1.7)+10*${hash(`floor(${east}*9)+57*floor(${north}*9)`)}`,
    forest: `22+10*sin(${east}*1.3+sin(${north}*2))+12*${hash(`floor(${east}*14)+57*floor(${north}*14)`)}`,
    city: `if(lt(mod(abs(${east}),2.4),0.1)+lt(mod(abs(${north}),2.4),0.1),60,18+10*mod(floor(${east}*2)+floor(${north}*2),2))`,
    blocks: `16+14*${hash(`floor(${east}*3)+57*floor(${north}*3)`)}+10*mod(floor(${east}*3)+floor(${north}*3),2)`,
  }[land]
  const fade = `(1/(1+0.07*${distance}))`
  const window = `lt(mod(X,12),6)*lt(mod(Y,14),8)*gt(${hash(`floor(X/12)+31*floor(Y/14)`)},0.55)`
  const nearLevel =
    land === 'city'
      ? `if(${window},${LEVELS.light},${LEVELS.near}+8*${hash(column(29))})`
      : `${LEVELS.near}+34*(1-${up}/${near})`
  const farLevel = land === 'city' ? `${LEVELS.far}+6` : `${LEVELS.far}+26*(1-${up}/${far})`
  const sunX = random.fraction().toFixed(3)
  const sunY = (random.integer(12, 24) / 100).toFixed(2)
  const apart = `abs(X/W-${sunX})`
  const toSun = `hypot(2*min(${apart},1-${apart}),${up}-${sunY})`
  const sky = `if(lt(${toSun},0.035),${LEVELS.light},min(109,${LEVELS.sky}+108*exp(-5*max(0,${up}))+46*exp(-14*${toSun})))`
  const above = `if(lt(${up},${near}),${nearLevel},if(lt(${up},${far}),${farLevel},${sky}))`
  return `if(gt(${up},0),${above},min(248,${LEVELS.ground}+(${ground})*${fade}))`
}

/** Lookup tables from levels to colours. */
function paint({ sky, far, near, ground }: Daylight): string {
  const [high, low] = [rgb(...sky[0]), rgb(...sky[1])]
  const things = [far, near, ground].map((colour) => rgb(...colour))
  const table = (channel: number) => {
    const from = (high[channel] ?? 0).toFixed(0)
    const to = (low[channel] ?? 0).toFixed(0)
    const [distant, close, floor] = things.map((thing) => (thing[channel] ?? 0).toFixed(0))
    return [
      `if(lt(val,${LEVELS.far}),${from}+(${to}-${from})*val/${LEVELS.far}`,
      `if(lt(val,${LEVELS.near}),${distant}*(1.1-(val-${LEVELS.far})/80)`,
      `if(lt(val,${LEVELS.ground}),${close}*(1.15-(val-${LEVELS.near})/50)`,
      `if(lt(val,${LEVELS.light}),${floor}*(0.55+(val-${LEVELS.ground})/55),255-${channel * 28}))))`,
    ].join(',')
  }
  return `lutrgb=r='${table(0)}':g='${table(1)}':b='${table(2)}'`
}
