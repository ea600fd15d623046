/** A field that an edit and somebody else changed, with the value of the edit and the one that is stored. */
export type FieldConflict = { field: string; mine: unknown; theirs: unknown }
