/** `/admin/{section}`. */
export const ADMIN_SECTIONS = [
  'approvals',
  'reports',
  'comments',
  'members',
  'jobs',
  'workers',
  'storage',
  'inbox',
  'settings',
  'sign-in',
  'webhooks',
  'backup',
  'audit',
  'welcome',
] as const
export type AdminSection = (typeof ADMIN_SECTIONS)[number]
