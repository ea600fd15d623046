import { createRandom } from '#tools/seed/random.ts'
import { hex } from './recording/hue.ts'

const CELLS = 6
const SIDE = 288

/** A chain of filters that draws a symmetric sign. */
export function avatarOf(username: string): string {
  const random = createRandom(0, `avatar of ${username}`)
  const hue = random.integer(0, 359)
  const [ground, sign, light] = [
    hex(hue, 0.55, 0.22),
    hex(hue + random.pick([30, 150, 180, 210]), 0.8, 0.6),
    hex(hue + 20, 0.6, 0.36),
  ]
  const cell = SIDE / (CELLS + 2)
  const cells: string[] = []
  for (let row = 0; row < CELLS; row++) {
    for (let column = 0; column < CELLS / 2; column++) {
      if (!random.chance(0.55)) continue
      const colour = random.chance(0.75) ? sign : light
      for (const at of [column, CELLS - 1 - column]) {
        const area = `x=${(at + 1) * cell}:y=${(row + 1) * cell}:w=${cell}:h=${cell}`
        cells.push(`drawbox=${area}:color=${colour}:t=fill`)
      }
    }
  }
  return [
    `gradients=s=${SIDE}x${SIDE}:c0=${ground}:c1=${light}:x0=0:y0=0:x1=${SIDE}:y1=${SIDE}:d=1`,
    ...cells,
  ].join(',')
}
