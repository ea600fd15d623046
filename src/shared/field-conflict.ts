/** Value of the edit, and the stored one. */
export type FieldConflict = { field: string; mine: unknown; theirs: unknown }
