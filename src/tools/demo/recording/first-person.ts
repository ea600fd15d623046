import type { Random } from '#tools/seed/random.ts'
import { hex } from './hue.ts'
import { type Daylight, type Land, panorama } from './panorama.ts'

/** @param input.hue degrees */
export function firstPerson(
  input: { land: Land; hue: number; frameRate: number; seconds: number },
  random: Random,
): string {
  const { land, hue, ...time } = input
  const world = panorama({ land, light: lightOf(land, hue, random), ...time }, random)
  return `${world},${hud(hue, random)}`
}

function lightOf(land: Land, hue: number, random: Random): Daylight {
  const isNight = land === 'city' || random.chance(0.3)
  const glow = hue + random.integer(-20, 20)
  if (land === 'city') {
    return {
      sky: [
        [glow + 250, 0.6, 0.1],
        [glow, 0.75, random.integer(35, 55) / 100],
      ],
      far: [glow + 280, 0.5, 0.28],
      near: [glow + 250, 0.45, 0.1],
      ground: [glow + 260, 0.35, 0.22],
    }
  }
  if (isNight) {
    return {
      sky: [
        [225, 0.5, 0.12],
        [random.pick([20, 200, 285, 335]), 0.6, 0.5],
      ],
      far: [hue + 230, 0.3, 0.26],
      near: [hue + 200, 0.3, 0.12],
      ground: [hue, 0.3, 0.22],
    }
  }
  const lowSky = random.integer(62, 78) / 100
  return {
    mountains: {
      sky: [
        [215, 0.55, 0.32],
        [hue + 6, 0.8, lowSky],
      ],
      far: [250, 0.25, 0.42],
      near: [hue, 0.42, 0.3],
      ground: [hue + 4, 0.5, 0.42],
    },
    forest: {
      sky: [
        [205, 0.4, 0.4],
        [195, 0.35, lowSky],
      ],
      far: [190, 0.22, 0.42],
      near: [hue, 0.4, 0.17],
      ground: [hue - 20, 0.34, 0.3],
    },
    blocks: {
      sky: [
        [210, 0.8, 0.5],
        [200, 0.7, lowSky],
      ],
      far: [205, 0.4, 0.6],
      near: [hue, 0.45, 0.32],
      ground: [hue - 6, 0.5, 0.38],
    },
  }[land] as Daylight
}

function hud(hue: number, random: Random): string {
  const bright = hex(hue + 180, 0.9, 0.7)
  const box = (area: string, colour: string) => `drawbox=${area}:color=${colour}:t=fill`
  const shot = (random.integer(14, 31) / 10).toFixed(1)
  const health = random.integer(60, 230)
  const ammunition = Array.from({ length: random.integer(4, 12) }, (_, index) =>
    box(`x=${1216 - index * 14}:y=662:w=8:h=22`, `${bright}@0.9`),
  )
  const kills = Array.from({ length: 3 }, (_, index) => {
    const width = random.integer(120, 220)
    const from = random.integer(0, 20) / 2
    const enable = `enable='gte(t,${from})*lt(mod(t-${from},11),4)'`
    const area = `x=${1248 - width}:y=${28 + index * 34}:w=${width}:h=26`
    return `drawbox=${area}:color=black@0.5:t=fill:${enable}`
  })
  return [
    `eq=brightness='0.16*lt(mod(t+1,${shot}),0.07)':eval=frame`,
    ...gun(random),
    ...[
      'x=622:y=358:w=12:h=3',
      'x=646:y=358:w=12:h=3',
      'x=638:y=342:w=3:h=12',
      'x=638:y=366:w=3:h=12',
    ].map((area) => box(area, `${bright}@0.95`)),
    box('x=32:y=662:w=240:h=22', 'black@0.45'),
    box(`x=34:y=664:w=${health}:h=18`, `${hex(random.pick([130, 145, 350]), 0.7, 0.5)}@0.9`),
    ...ammunition,
    box('x=32:y=28:w=150:h=150', 'black@0.4'),
    'drawbox=x=32:y=28:w=150:h=150:color=white@0.35:t=2',
    ...Array.from({ length: 5 }, () =>
      box(
        `x=${random.integer(44, 164)}:y=${random.integer(40, 160)}:w=7:h=7`,
        random.chance(0.6) ? `${bright}@0.9` : '0xff4455@0.9',
      ),
    ),
    ...kills,
  ].join(',')
}

function gun(random: Random): string[] {
  const left = random.integer(820, 900)
  const metal = hex(random.integer(180, 260), 0.12, 0.11)
  const light = hex(random.integer(20, 260), 0.15, 0.2)
  const plate = (x: number, y: number, w: number, h: number, colour: string) =>
    `drawbox=x=${left + x}:y=${y}:w=${w}:h=${h}:color=${colour}:t=fill`
  const barrel = Array.from({ length: 14 }, (_, step) =>
    plate(step * 9, 596 + step * 6, 30 + step * 4, 130, step % 5 === 4 ? light : metal),
  )
  return [plate(6, 580, 10, 20, metal), ...barrel, plate(96, 640, 80, 80, light)]
}
