const UNRELEASED = /^## \[Unreleased\][^\S\n]*\n/m

/**
 * Gives Unreleased a version and a date, and adds a new empty heading.
 * @returns the whole text, and the entries; undefined without any
 */
export function cutChangelog(
  text: string,
  { version, date }: { version: string; date: string },
): { text: string; notes: string } | undefined {
  const heading = UNRELEASED.exec(text)
  if (!heading) return undefined
  const from = heading.index + heading[0].length
  const length = text.slice(from).search(/^## /m)
  const notes = (length === -1 ? text.slice(from) : text.slice(from, from + length)).trim()
  if (!/^- \S/m.test(notes)) return undefined
  const cut = `${text.slice(0, from)}\n## [${version}] - ${date}\n${text.slice(from)}`
  return { text: cut, notes }
}
