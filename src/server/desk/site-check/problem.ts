/** The text of an orphan is its path in the data folder, or its prefix in the store. */
export type Problem = { kind: 'missing' | 'orphaned' | 'damaged' | 'held'; text: string }

export const missing = (text: string): Problem => ({ kind: 'missing', text })
export const orphaned = (text: string): Problem => ({ kind: 'orphaned', text })
/** Nothing may be deleted in a store. */
export const held = (text: string): Problem => ({ kind: 'held', text })
export const damaged = (text: string): Problem => ({ kind: 'damaged', text })
