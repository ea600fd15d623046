import { lazyPiece } from '../lib/lazy-piece.tsx'

/** The question before something that cannot be undone, fetched when it is asked. */
export const LazyConfirmModal = lazyPiece(async () => ({
  default: (await import('./confirm-modal.tsx')).ConfirmModal,
}))
