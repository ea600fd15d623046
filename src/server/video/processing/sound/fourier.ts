/** Complex numbers. */
export type Spectrum = { re: Float64Array; im: Float64Array }

/** Radix-2 transform in place. @param input.re length is a power of two */
export function transform({ re, im }: Spectrum, isInverse = false): void {
  reorder({ re, im })
  const count = re.length
  const sign = isInverse ? 1 : -1
  for (let size = 2; size <= count; size *= 2) {
    const half = size / 2
    const cosines = new Float64Array(half)
    const sines = new Float64Array(half)
    for (let step = 0; step < half; step += 1) {
      cosines[step] = Math.cos((2 * Math.PI * step) / size)
      sines[step] = sign * Math.sin((2 * Math.PI * step) / size)
    }
    for (let from = 0; from < count; from += size) {
      for (let step = 0; step < half; step += 1) {
        const [at, other] = [from + step, from + step + half]
        const [cosine, sine] = [cosines[step] ?? 0, sines[step] ?? 0]
        const [otherRe, otherIm] = [re[other] ?? 0, im[other] ?? 0]
        const turnedRe = otherRe * cosine - otherIm * sine
        const turnedIm = otherRe * sine + otherIm * cosine
        re[other] = (re[at] ?? 0) - turnedRe
        im[other] = (im[at] ?? 0) - turnedIm
        re[at] = (re[at] ?? 0) + turnedRe
        im[at] = (im[at] ?? 0) + turnedIm
      }
    }
  }
}

function reorder({ re, im }: Spectrum): void {
  const count = re.length
  for (let at = 1, reversed = 0; at < count; at += 1) {
    let bit = count >> 1
    for (; reversed & bit; bit >>= 1) reversed ^= bit
    reversed ^= bit
    if (at >= reversed) continue
    for (const part of [re, im]) {
      const value = part[at] ?? 0
      part[at] = part[reversed] ?? 0
      part[reversed] = value
    }
  }
}

/**
 * Sums of products for all shifts: `result[shift]` is that of `one[at + shift] * other[at]`, and
 * negative shifts are at the end.
 */
export function correlate(one: Float32Array, other: Float32Array): Float64Array {
  const count = 2 ** Math.ceil(Math.log2(Math.max(one.length + other.length, 2)))
  // Both are real, so one transform of them as one complex signal gives both spectra.
  const both = { re: new Float64Array(count), im: new Float64Array(count) }
  both.re.set(one)
  both.im.set(other)
  transform(both)
  const product = { re: new Float64Array(count), im: new Float64Array(count) }
  for (let at = 0; at < count; at += 1) {
    const mirrored = (count - at) % count
    const [re, im] = [both.re[at] ?? 0, both.im[at] ?? 0]
    const [mirroredRe, mirroredIm] = [both.re[mirrored] ?? 0, both.im[mirrored] ?? 0]
    const oneRe = (re + mirroredRe) / 2
    const oneIm = (im - mirroredIm) / 2
    const otherRe = (im + mirroredIm) / 2
    const otherIm = (mirroredRe - re) / 2
    product.re[at] = oneRe * otherRe + oneIm * otherIm
    product.im[at] = oneIm * otherRe - oneRe * otherIm
  }
  transform(product, true)
  return product.re.map((value) => value / count)
}
