import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { insertAuditEntry } from '#server/platform/audit/audit.queries.ts'
import { DATABASE_FILE } from '#server/platform/db/open.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { findOddPart, statPlainFile } from '#server/platform/files/plain-files.ts'
import { requireConfirmedAdmin } from '#server/platform/http/require-viewer.ts'
import { parseFields } from '#server/platform/request/invalid-input.ts'
import { idSchema } from '#shared/field.schemas.ts'
import { backupFolder, requireWholeBackup } from './backup.service.ts'
import { heldFiles, MANIFEST_FILE, readManifest } from './backup-manifest.ts'
import { type TarFile, tarBytes, writeTar } from './tar.ts'

/** Tar archives for `npm run restore`. */
export async function registerBackupRoutes(
  app: FastifyInstance,
  { deps }: { deps: AppDeps },
): Promise<void> {
  app.get<{ Params: { id: string } }>('/backups/:id/download', async (request, reply) => {
    const viewer = await requireConfirmedAdmin(deps, { request, reply })
    const id = parseFields(idSchema, request.params.id)
    const { name } = await requireWholeBackup(deps.db, id)
    const archive = `clutch-backup-${name}`
    const files = await listBackupFiles(backupFolder(deps, name), archive)
    const target = { kind: 'backup', id, name } as const
    await insertAuditEntry(deps.db, { actor: viewer, action: 'backup.download', target })
    return reply
      .header('content-type', 'application/x-tar')
      .header('content-length', tarBytes(files))
      .header('content-disposition', `attachment; filename="${archive}.tar"`)
      .header('cache-control', 'no-store')
      .send(Readable.from(writeTar(files), { objectMode: false }))
  })
}

async function listBackupFiles(folder: string, archive: string): Promise<TarFile[]> {
  const manifest = await readManifest(folder).catch(() => {
    throw new AppError('not-found', 'The files of this backup are gone.')
  })
  const files = heldFiles(manifest)
  const names = [MANIFEST_FILE, DATABASE_FILE, ...files.map(({ path }) => `media/${path}`)]
  const listed: TarFile[] = []
  for (const name of names) {
    const path = join(folder, name)
    const found = (await findOddPart(folder, name)) ? undefined : await statPlainFile(path)
    if (!found) throw new AppError('not-found', 'The files of this backup are gone.')
    listed.push({ path, name: `${archive}/${name}`, bytes: found.size, modifiedAt: found.mtime })
  }
  return listed
}
