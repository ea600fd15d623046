import { z } from 'zod'
import { idSchema, limitSchema } from '#shared/field.schemas.ts'
import { MAX_PAGE_SIZE, PAGE_SIZE } from '#shared/limits.ts'

export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>
  required?: string[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
}

const ID = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
const LIMIT = { type: 'integer', minimum: 1, maximum: MAX_PAGE_SIZE, default: PAGE_SIZE }

/** 2020-12, as in OpenAPI 3.1. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'output') return
      // JSON Schema cannot express refinements.
      if (zodSchema === idSchema) replace(jsonSchema, { anyOf: [ID, idText()] })
      if (zodSchema === limitSchema) replace(jsonSchema, LIMIT)
    },
  })
  return rest as JsonSchema
}

/** Parameters are never null, and numbers instead of digits. */
export function toParameterSchema(schema: JsonSchema): JsonSchema {
  const [first] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  return first ? toParameterSchema(first) : schema
}

function idText(): object {
  return { type: 'string', pattern: '^[1-9]\\d{0,15}$' }
}

function replace(target: object, source: object): void {
  for (const key of Object.keys(target)) delete (target as Record<string, unknown>)[key]
  Object.assign(target, structuredClone(source))
}
