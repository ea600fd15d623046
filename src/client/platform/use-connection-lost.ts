import { useSyncExternalStore } from 'react'
import { connection } from './connection.ts'

export const useConnectionLost = (): boolean =>
  useSyncExternalStore(connection.subscribe, connection.isLost)
