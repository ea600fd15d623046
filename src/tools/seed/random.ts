import { createHash } from 'node:crypto'

/** Random choices that are the same for the same seed. */
export type Random = ReturnType<typeof createRandom>

/**
 * A small fast counter generator (sfc32). Each `stream` of a seed has choices of its own, so that
 * more of one kind of row does not change the others.
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
  /** A whole number from `least` to `most`, both included. */
  const whole = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1))

  return {
    fraction,
    whole,
    chance: (probability: number) => fraction() < probability,
    pick: <Item>(items: readonly Item[]): Item => items[whole(0, items.length - 1)] as Item,

    /** Bell-shaped around 0, two thirds within -1 and 1. */
    bell: () => Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction()),

    /** Up to `amount` different whole numbers from 0 to `below` - 1. */
    distinct(amount: number, below: number): number[] {
      const chosen = new Set<number>()
      for (let at = Math.max(0, below - amount); at < below; at++) {
        const candidate = whole(0, at)
        chosen.add(chosen.has(candidate) ? at : candidate)
      }
      return [...chosen]
    },

    /** Random bytes as hexadecimal digits. */
    hex: (bytes: number) =>
      Array.from({ length: bytes }, () => whole(0, 255).toString(16).padStart(2, '0')).join(''),
  }
}
