/**
 * Returns a text such as 'Mia, Tom and 3 others'.
 * @param count the number of all, including those whose names are not given
 */
export function nameSome(names: readonly string[], count: number): string {
  const shown = count > names.length || count > 3 ? names.slice(0, 2) : names
  const rest = count - shown.length
  const last = rest > 0 ? `${rest} ${rest === 1 ? 'other' : 'others'}` : undefined
  const all = last === undefined ? shown : [...shown, last]
  if (all.length < 2) return all.join('')
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
