export type Sample = { name: string; labels: Record<string, string>; value: number }

// Prometheus reads numbers as Go does, which takes prom-client's 'Nan' too.
const COMMENT = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (-?[\d.e+-]+|[+-]Inf|Nan|NaN)$/
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/y

/**
 * Reads the text format of Prometheus, as its documentation has it.
 * @throws for a line that is none of it, a sample without a type, and one that is there twice
 */
export function parseExposition(text: string): Sample[] {
  const types = new Map<string, string>()
  const seen = new Set<string>()
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  return text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const comment = COMMENT.exec(line)
      if (comment) {
        const [, kind, name = '', words = ''] = comment
        if (kind === 'TYPE') types.set(name, words)
        return []
      }
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
      if (!name) throw new Error(`No line of the format: ${line}`)
      const family = name.replace(/_(bucket|sum|count)$/, '')
      if (!types.has(name) && !types.has(family)) throw new Error(`Of no type: ${line}`)
      const key = `${name}{${labels}}`
      if (seen.has(key)) throw new Error(`Twice: ${line}`)
      seen.add(key)
      return [
        { name, labels: parseLabels(labels), value: Number(value.replace('Inf', 'Infinity')) },
      ]
    })
}

function parseLabels(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  LABEL.lastIndex = 0
  while (LABEL.lastIndex < text.length) {
    const label = LABEL.exec(text)
    if (!label) throw new Error(`No labels: ${text}`)
    found[label[1] ?? ''] = label[2] ?? ''
  }
  return found
}
