import { type Kysely, sql } from 'kysely'

const isPublic = (row: string) =>
  `(${row}.processingState = 'ready' AND ${row}.contentApproved = 1)`

// It looks first: within a trigger the clause of the statement that fires it counts.
const add = (row: string) => `
    INSERT INTO categoryTotals (category, publicVideos) SELECT ${row}.category, 0
      WHERE ${isPublic(row)}
        AND NOT EXISTS (SELECT 1 FROM categoryTotals WHERE category = ${row}.category);
    UPDATE categoryTotals SET publicVideos = publicVideos + 1
      WHERE ${isPublic(row)} AND category = ${row}.category;`
const take = (row: string) => `
    UPDATE categoryTotals SET publicVideos = publicVideos - 1
      WHERE ${isPublic(row)} AND category = ${row}.category;`

const statements = [
  `CREATE TABLE categoryTotals (
    category TEXT PRIMARY KEY,
    publicVideos INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO categoryTotals (category, publicVideos)
    SELECT category, count(*) FROM videos WHERE ${isPublic('videos')} GROUP BY category`,
  `CREATE TRIGGER categoryGained AFTER INSERT ON videos WHEN ${isPublic('NEW')} BEGIN${add('NEW')}
  END`,
  `CREATE TRIGGER categoryLost AFTER DELETE ON videos WHEN ${isPublic('OLD')} BEGIN${take('OLD')}
  END`,
  `CREATE TRIGGER categoryChanged AFTER UPDATE OF category, processingState, contentApproved ON videos
    WHEN ${isPublic('OLD')} <> ${isPublic('NEW')} OR OLD.category <> NEW.category BEGIN${take('OLD')}${add('NEW')}
  END`,

  `CREATE INDEX videosByUserAndViews ON videos (userId, viewCount DESC, id DESC)`,
  `CREATE INDEX likedVideos ON likes (userId, createdAt DESC, videoId DESC)
    WHERE videoId IS NOT NULL AND isLike = 1`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
