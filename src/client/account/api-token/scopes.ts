import type { ApiTokenScope } from '#shared/schemas/api-token.schemas.ts'

export const SCOPES: Record<ApiTokenScope, { name: string; text: string }> = {
  upload: {
    name: 'Upload',
    text: 'Uploads videos and reads your own. For ShareX, OBS and similar programs.',
  },
  read: { name: 'Read', text: 'Reads everything you can see, and changes nothing.' },
}

export const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
  { value: 'never', label: 'until I revoke it' },
] as const
export type Lifetime = (typeof LIFETIMES)[number]['value']
