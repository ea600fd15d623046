import type { ChangelogSection } from '#shared/schemas/desk/release.schemas.ts'

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)$/

export function parseChangelog(text: string): ChangelogSection[] {
  const sections: ChangelogSection[] = []
  for (const line of text.split('\n')) {
    const heading = /^## \[?([^\]\s]+)\]?(?: - (\S+))?\s*$/.exec(line)
    const changes = sections.at(-1)?.changes
    const entries = changes?.at(-1)?.entries
    const last = entries?.at(-1)
    if (heading) {
      sections.push({ version: heading[1] ?? '', date: heading[2] ?? null, changes: [] })
    } else if (line.startsWith('### ')) {
      changes?.push({ kind: line.slice(4).trim(), entries: [] })
    } else if (line.startsWith('- ')) {
      entries?.push(toPlain(line.slice(2)))
    } else if (last !== undefined && line.startsWith('  ')) {
      entries?.splice(-1, 1, `${last} ${toPlain(line)}`)
    }
  }
  return sections
}

/** `since` exclusive, `version` inclusive. */
export function sectionsBetween(
  sections: ChangelogSection[],
  { since, version }: { since: string; version: string },
): ChangelogSection[] {
  return sections.filter(
    (section) =>
      VERSION.test(section.version) &&
      isNewer(section.version, since) &&
      !isNewer(section.version, version),
  )
}

export function isNewer(version: string, other: string): boolean {
  const [one, two] = [VERSION.exec(version), VERSION.exec(other)]
  if (!one || !two) return false
  for (const part of [1, 2, 3]) {
    const difference = Number(one[part]) - Number(two[part])
    if (difference !== 0) return difference > 0
  }
  return false
}

const toPlain = (markdown: string) =>
  markdown
    .trim()
    .replaceAll('`', '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
