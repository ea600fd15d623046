/** An orphan's text is its path or store prefix. */
export type Problem = { kind: 'missing' | 'orphaned' | 'damaged' | 'held'; text: string }

export const missing = (text: string): Problem => ({ kind: 'missing', text })
export const orphaned = (text: string): Problem => ({ kind: 'orphaned', text })
export const held = (text: string): Problem => ({ kind: 'held', text })
export const damaged = (text: string): Problem => ({ kind: 'damaged', text })
