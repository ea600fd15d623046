const IS_PLACE = Symbol('place')

/** Where a parameter of a compiled query is in its input. See `compiled-once.ts`. */
export type Place = {
  [IS_PLACE]: true
  path: readonly string[]
  type: 'string' | 'number' | 'list'
  /** As a JSON text. */
  isJson: boolean
  /** Throws, because a place has no value to calculate or compare with. */
  [Symbol.toPrimitive]: () => never
}

export function placeAt(path: readonly string[], type: Place['type'], isJson = false): Place {
  return {
    [IS_PLACE]: true,
    ...{ path, type, isJson },
    [Symbol.toPrimitive]() {
      throw new Error(`"${path.join('.')}" of a query compiled once is used as a value.`)
    },
  }
}

export function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && IS_PLACE in value
}
