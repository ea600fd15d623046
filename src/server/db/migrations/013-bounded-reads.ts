import { type Kysely, sql } from 'kysely'

/** As a filter box compares titles: see db/folded-text.ts. */
const folded = (title: string) =>
  `iif(${title} GLOB '*[^ -~]*', foldText(${title}), lower(${title}))`

const statements = [
  `ALTER TABLE videos ADD COLUMN foldedTitle TEXT NOT NULL DEFAULT ''`,
  `UPDATE videos SET foldedTitle = ${folded('title')}`,
  `CREATE TRIGGER videoTitleSet AFTER INSERT ON videos BEGIN
    UPDATE videos SET foldedTitle = ${folded('NEW.title')} WHERE id = NEW.id;
  END`,
  `CREATE TRIGGER videoTitleChanged AFTER UPDATE OF title ON videos BEGIN
    UPDATE videos SET foldedTitle = ${folded('NEW.title')} WHERE id = NEW.id;
  END`,
  `CREATE INDEX videosByTitle ON videos (userId, foldedTitle, id)`,

  `CREATE INDEX unreadNotifications ON notifications (userId, id) WHERE read = 0`,

  `CREATE INDEX publicReplies ON comments (parentId) WHERE parentId IS NOT NULL AND withheld IS NULL`,
  `CREATE INDEX withheldReplies ON comments (parentId)
    WHERE parentId IS NOT NULL AND withheld IS NOT NULL`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
