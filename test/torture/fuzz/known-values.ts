const VALUES_MAX = 60

export type KnownValues = ReturnType<typeof createKnownValues>

/**
 * What the site's answers named: ids, cursors, keys, addresses. With them requests reach what is there;
 * without them nearly all would end at 'not found'.
 */
export function createKnownValues() {
  const values = new Map<string, (string | number)[]>()

  function learn(name: string, value: string | number): void {
    const known = values.get(name) ?? []
    if (known.includes(value)) return
    known.push(value)
    if (known.length > VALUES_MAX) known.shift()
    values.set(name, known)
  }

  /** Goes through an answer, no deeper than our answers are. */
  function learnFrom(answer: unknown, depth = 0): void {
    if (depth > 8 || typeof answer !== 'object' || answer === null) return
    if (Array.isArray(answer)) {
      for (const one of answer.slice(0, 10)) learnFrom(one, depth + 1)
      return
    }
    for (const [key, value] of Object.entries(answer)) {
      if (typeof value === 'object') learnFrom(value, depth + 1)
      else if (isKnowledge(key, value)) learn(/cursor$/i.test(key) ? 'cursor' : key, value)
    }
  }

  return {
    learnFrom,
    /** One of those that are known under a name by now. */
    at(name: string, index: number): string | number | undefined {
      const known = values.get(name) ?? []
      return known[index % known.length]
    },
  }
}

function isKnowledge(key: string, value: unknown): value is string | number {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  return /^(id|.*Id|.*cursor|.*Url|token|code|username|email|category|mediaKey)$/i.test(key)
}
