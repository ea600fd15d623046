import { createHash } from 'node:crypto'

/** Deterministic per seed. */
export type Random = ReturnType<typeof createRandom>

/**
 * A fast counter-based generator (sfc32). `stream` separates kinds of rows: more of one do not
 * change the others.
 */
export function createRandom(seed: number, stream: string) {
  const digest = createHash('sha256').update(`${seed} ${stream}`).digest()
  let [a, b, c, counter] = [0, 4, 8, 12].map((at) => digest.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]

  function bits(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }

  /** From 0 up to, but not including, 1. */
  const fraction = () => bits() / 2 ** 32
  /** Both bounds are included. */
  const integer = (least: number, most: number) =>
    least + Math.floor(fraction() * (most - least + 1))

  return {
    fraction,
    integer,
    chance: (probability: number) => fraction() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[integer(0, items.length - 1)] as Item,

    /** Normal distribution: mean 0, standard deviation 1. */
    gaussian: () => Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction()),

    /** Different whole numbers from 0 to `below` - 1. */
    distinct(amount: number, below: number): number[] {
      const chosen = new Set<number>()
      for (let at = Math.max(0, below - amount); at < below; at++) {
        const candidate = integer(0, at)
        chosen.add(chosen.has(candidate) ? at : candidate)
      }
      return [...chosen]
    },

    hex: (bytes: number) =>
      Array.from({ length: bytes }, () => integer(0, 255).toString(16).padStart(2, '0')).join(''),
  }
}
