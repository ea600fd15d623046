export const SQUAD_TABS = [
  { id: 'new', label: 'New' },
  { id: 'videos', label: 'Videos' },
  { id: 'clips', label: 'Clips' },
  { id: 'posts', label: 'Posts' },
  { id: 'members', label: 'Members' },
] as const
export type SquadTab = (typeof SQUAD_TABS)[number]['id']

export function toSquadTab(value: unknown): SquadTab {
  return SQUAD_TABS.find(({ id }) => id === value)?.id ?? 'new'
}
