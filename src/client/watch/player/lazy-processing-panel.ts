import { lazyPart } from '#client/kit/list/lazy-part.tsx'

export const ProcessingPanel = lazyPart(() => import('./processing-panel.tsx'))
