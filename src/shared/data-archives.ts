import type { DataExportFormat } from './schemas/settings.schemas.ts'

/** The files that a member downloads. */
export const DATA_ARCHIVES: Record<DataExportFormat, string> = {
  clutch: 'clutch-data.tar',
  peertube: 'clutch-peertube.zip',
}
