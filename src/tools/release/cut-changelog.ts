const UNRELEASED = /^## \[Unreleased\][^\S\n]*\n/m

/**
 * Gives what stands under Unreleased a version and a date, and leaves that heading above it empty.
 * @returns the whole text, and what stood there; undefined where no entry does
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
