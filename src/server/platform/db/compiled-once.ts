import type { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'
import { type Engine, engineOf } from './engine.ts'
import { isPlace, type Place, placeAt } from './place.ts'

type Value = string | number | boolean | null | undefined | readonly number[] | readonly string[]
type Values = { readonly [name: string]: Value }
type Input = { readonly [name: string]: Value | Values }

/**
 * A read whose SQL is written once for each shape of its input: building and compiling it take longer than most reads. See
 * docs/decisions/0070-what-reads-cost.md.
 * @param build gets places instead of texts, numbers and lists, to be passed on as parameters only. Its statement may depend on
 * whether a value is there, and on booleans.
 */
export function compiledOnce<Given extends Input, Row>(
  build: (db: Database, input: Given) => CompiledQuery<Row>,
): (db: Database, input: Given) => Promise<Row[]> {
  const engines = new WeakMap<Engine, Map<string, CompiledQuery<Row>>>()
  const queriesFor = (engine: Engine) => {
    const known = engines.get(engine)
    if (known) return known
    const none = new Map<string, CompiledQuery<Row>>()
    engines.set(engine, none)
    return none
  }
  return async (db, input) => {
    const queries = queriesFor(engineOf(db))
    const shape = shapeOf(input)
    let query = queries.get(shape)
    if (!query) {
      query = build(db, withPlaces(input) as Given)
      queries.set(shape, query)
    }
    const parameters = query.parameters.map((value) =>
      isPlace(value) ? valueAt(input, value) : value,
    )
    const { rows } = await db.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}

function shapeOf(input: Input): string {
  let shape = ''
  for (const name in input) {
    const value = input[name]
    if (value === undefined) continue
    if (isGroup(value)) shape += `${name}{${shapeOf(value)}}`
    else shape += `${name}=${typeOf(value) ?? value},`
  }
  return shape
}

function withPlaces(input: Input, path: readonly string[] = []): object {
  const replaced = Object.entries(input).map(([name, value]) => {
    const here = [...path, name]
    if (isGroup(value)) return [name, withPlaces(value, here)]
    const type = typeOf(value)
    return [name, type ? placeAt(here, type) : value]
  })
  return Object.fromEntries(replaced)
}

function isGroup(value: Input[string]): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @returns undefined for what a statement depends on */
function typeOf(value: Value): Place['type'] | undefined {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number') return 'number'
  return Array.isArray(value) ? 'list' : undefined
}

function valueAt(input: Input, { path, isJson }: Place): unknown {
  let found: unknown = input
  for (const name of path) found = (found as Values)[name]
  return isJson ? JSON.stringify(found) : found
}
