/** Returns the rows in the order of `ids`. Ids without a row are left out. */
export function inOrder<Row extends { id: number }>(rows: readonly Row[], ids: readonly number[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}
