import type { Setup, SetupStep } from '#shared/schemas/desk/setup.schemas.ts'

export const STEP_WORDS: Record<SetupStep, { title: string; text: string }> = {
  look: { title: 'Name and colour', text: 'Shown in the header, in link previews and feeds.' },
  members: { title: 'Who can register', text: 'And whether visitors can see the site at all.' },
  uploads: {
    title: 'How uploads come in',
    text: 'Approval, who sees new videos, how large they are.',
  },
  reach: {
    title: 'Where it is reached',
    text: 'On your network, from outside, and from chat apps.',
  },
  clip: { title: 'A first video', text: 'So there is something to watch.' },
}

export const openSteps = ({ steps }: Setup): SetupStep[] =>
  steps.filter(({ state }) => state === 'open').map(({ name }) => name)
